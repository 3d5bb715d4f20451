import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogSearch } from './log-search.ts';
import { RunLog } from './run-log.svelte.ts';

const texts = (rows: { slice(): readonly { text: string }[] }): string[] =>
  rows.slice().map(({ text }) => text);

describe('LogSearch', () => {
  it('find() shows all lines as they are by then, without a question', () => {
    const log = new RunLog();
    log.append({ skill: 'a', stream: 'stdout' }, 'one\ntwo\n');
    const rows = new LogSearch().find(log, { text: ' ', skill: undefined });
    expect([rows.length, texts(rows), rows.slice(1, 2).length]).toEqual([2, ['one', 'two'], 1]);
  });

  it('find() takes what is typed as text, in any case, and the lines of one skill', () => {
    const log = new RunLog();
    log.append({ skill: 'a', stream: 'stdout' }, 'f(x) = [1]\nF(X)\n');
    log.append({ skill: 'b', stream: 'stdout' }, 'f(x)\nÄRGER f(x\n');
    const search = new LogSearch();
    expect(texts(search.find(log, { text: 'f(x)', skill: undefined }))).toEqual([
      'f(x) = [1]',
      'F(X)',
      'f(x)',
    ]);
    expect(texts(search.find(log, { text: 'f(x)', skill: 'b' }))).toEqual(['f(x)']);
    expect(texts(search.find(log, { text: 'ärger', skill: undefined }))).toEqual(['ÄRGER f(x']);
    expect(texts(search.find(log, { text: '', skill: 'b' }))).toEqual(['f(x)', 'ÄRGER f(x']);
  });

  it('find() follows a log that grows, is trimmed and begins anew', () => {
    const log = new RunLog();
    const search = new LogSearch();
    const find = (): string[] => texts(search.find(log, { text: '7', skill: undefined }));
    const all = (): string[] => log.lines.map(({ text }) => text).filter((text) => text.includes('7'));
    for (let i = 0; i < 23; i++) {
      const block = Array.from({ length: 5_000 }, (_, k) => i * 5_000 + k);
      log.append({ skill: 'a', stream: 'stdout' }, `${block.join('\n')}\n`);
      if (i % 4 === 0) expect(find()).toEqual(all());
    }
    expect(log.dropped).toBeGreaterThan(0);
    expect(find()).toEqual(all());
    log.clear();
    log.append({ skill: 'a', stream: 'stdout' }, '7\n8\n');
    expect(find()).toEqual(['7']);
  });

  it('find() is the same whether it is asked after every piece or once', () => {
    const piece = fc.record({ skill: fc.constantFrom('a', 'b'), chunk: fc.stringMatching(/^[xy\n]{0,8}$/) });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const log = new RunLog();
        const search = new LogSearch();
        const query = { text: 'xy', skill: undefined };
        for (const { skill, chunk } of pieces) {
          log.append({ skill, stream: 'stdout' }, chunk);
          expect(texts(search.find(log, query))).toEqual(texts(new LogSearch().find(log, query)));
        }
      }),
    );
  });
});
