import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keychain } from '../../models/keychain.ts';
import { Models } from '../../models/models.ts';
import { canRunScripts } from '../testing/can-run-scripts.ts';
import { ModelRig, modelSkill, wireFormats } from '../testing/model-rig.ts';
import { TestSandbox } from '../testing/run-rig.ts';

const canRun = await canRunScripts();

let box: TestSandbox;
beforeAll(() => {
  box = new TestSandbox();
});
afterAll(() => box[Symbol.dispose]());

/** Has what JSON escapes, and letters that base64 and addresses write otherwise. */
const key = 'canary-"key"\\+/0123456789?abcdef';

/** Every way in which a key might be written down; of base64 only what does not depend on what follows. */
const forms = [
  key,
  JSON.stringify(key).slice(1, -1),
  JSON.stringify(JSON.stringify(key).slice(1, -1)).slice(1, -1),
  Buffer.from(key).toString('base64').slice(0, -4),
  encodeURIComponent(key),
];

const keychain: Keychain = {
  isAvailable: () => true,
  encrypt: (secret) => Buffer.from(secret).map((byte) => byte ^ 0xff),
  decrypt: (sealed) => Buffer.from(sealed.map((byte) => byte ^ 0xff)).toString(),
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

const cases = wireFormats.flatMap((wire) => [[wire, 'environment'] as const, [wire, 'keychain'] as const]);

test.runIf(canRun).each(cases)(
  'a key is written down nowhere, whatever a server over %s does with it (from the %s)',
  async (wire, from) => {
    const skills = modelSkill('work', 'allowed_tools: [Write, Bash]', 'produces: [text]');
    const judges = `validators:\n  heuristic: [{ name: good, prompt: Is it good?, severity: error }]\nquality_policy: { required_validators: [good] }\n`;
    await using made = await ModelRig.make({ sandbox: box.sandbox, skills, head: judges, wire });
    const { rig, server } = made;
    rig.keychain = keychain;
    if (from === 'environment') rig.environment = { MODEL_KEY: key };
    else {
      rig.environment = {};
      await new Models({ home: rig.home, environment: {}, keychain }).keepKey('fake', key);
    }
    server.key = key;
    const record = join(rig.root, 'answers.jsonl');
    server.answerWith(
      {
        call: 'Bash',
        input: { command: `env; cat /proc/self/environ; echo '${key}' > "$SUNWELL_FILES/k.txt"` },
      },
      { call: 'Write', input: { path: 'leak.md', text: `${key} ${Buffer.from(key).toString('base64')}` } },
      { call: 'Write', input: { path: `${key}/x.md`, text: 'x' } },
      { say: `It is ${key}, or ${Buffer.from(key).toString('base64')}, or ${JSON.stringify(key)}` },
      {
        say: `{"verdict":"fail","confidence":0.9,"message":"${JSON.stringify(key).slice(1, -1)}","evidence":[]}`,
      },
      { say: `Half of ${key}`, cut: 'end' },
    );
    const { record: run, events } = await rig.run({ task: 'Say the key' }, { how: { record } });
    server.answerWith({
      status: 400,
      body: { type: 'error', error: { type: 'x', message: `Bad key ${key}` } },
    });
    const failed = await rig.run({ task: 'Again' });
    const refused = await rig.run({ task: 'And again' });
    expect(refused.record.steps[0]!.error?.message).toContain('Bad key [redacted]');
    server.answerWith(
      { say: `It is ${key} once more` },
      { say: '{"verdict":"pass","confidence":0.9,"message":"fine","evidence":[]}' },
    );
    const kept = await rig.run({ task: 'Once more' });
    expect(kept.record.steps[0]).toMatchObject({ state: 'ran', content: 'It is [redacted] once more' });
    const page = await rig.runs().exportHtml(run.runId, {});
    const told = {
      run,
      events,
      failed,
      refused,
      kept,
      page,
      plan: await rig.plan(),
      models: await rig.models().list(),
    };
    await rig.restart();

    expect(server.received.length).toBeGreaterThan(4);
    const written = [...filesBelow(rig.home), ...filesBelow(rig.root)];
    expect(written.some((path) => path.endsWith('journal.jsonl'))).toBe(true);
    expect(written).toContain(record);
    // Each of them is there to be searched: what is kept, what a child had in its environment, and what was exported.
    expect(written.some((path) => path.startsWith(join(rig.home, 'cache')) && path.includes('blobs'))).toBe(
      true,
    );
    expect(JSON.stringify(events)).toContain('SUNWELL_FILES=');
    expect(page.html).toContain('[redacted]');
    const texts = new Map([
      ...written.map((path) => [path, readFileSync(path, 'latin1')] as const),
      ...written.map((path) => [`name of ${path}`, path] as const),
      ['messages', JSON.stringify(told)] as const,
      ['prompts', JSON.stringify(server.received.map(({ body, path }) => [path, body]))] as const,
    ]);
    for (const [where, text] of texts) {
      expect([where, forms.filter((form) => text.includes(form))]).toEqual([where, []]);
    }
  },
);
