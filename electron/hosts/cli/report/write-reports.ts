import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { writeFile } from '#engine/store/write-file.ts';
import { StudioError } from '#shared/errors.ts';
import type { RunRecord } from '#shared/model/run.ts';
import type { Invocation } from '../invocation.ts';
import { toMarkdown } from './to-markdown.ts';

const kinds = {
  junit: {
    file: 'sunwell-report.xml',
    render: async (record: RunRecord) => (await import('./to-junit.ts')).toJunit(record),
  },
  md: { file: 'sunwell-report.md', render: toMarkdown },
  json: {
    file: 'sunwell-report.json',
    render: (record: RunRecord) => `${JSON.stringify(record, null, 2)}\n`,
  },
} as const;

/** Writes the reports that `--report junit,md=out.md` names, into the working folder unless it names a file. */
export async function writeReports(
  { terminal, output }: Invocation,
  record: RunRecord,
  wanted: string,
): Promise<void> {
  for (const { kind, file } of parseReports(wanted)) {
    const text = await kinds[kind].render(record);
    try {
      await writeFile(resolve(terminal.workingDirectory, file), text);
    } catch (error) {
      throw new StudioError('file.unwritable', `Cannot write "${file}": ${(error as Error).message}`, {
        file,
      });
    }
    output.note(`Report: ${file}`);
  }
}

/** Refuses kinds that do not exist before anything runs. */
export function parseReports(wanted: string): { kind: keyof typeof kinds; file: string }[] {
  return wanted.split(',').map((word) => {
    const [kind = '', ...rest] = word.trim().split('=');
    if (!Object.hasOwn(kinds, kind)) {
      throw new InvalidArgumentError(`"${kind}" is no report: write junit, md or json`);
    }
    const known = kind as keyof typeof kinds;
    return { kind: known, file: rest.length > 0 ? rest.join('=') : kinds[known].file };
  });
}
