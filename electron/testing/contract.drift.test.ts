import { getEventIteratorSchemaDetails, isContractProcedure } from '@orpc/contract';
import type { AnyContractProcedure, AnySchema } from '@orpc/contract';
import { test } from 'vitest';
import { z } from 'zod';
import { contract } from '#shared/contract.ts';
import { errorTable } from '#shared/errors.ts';
import { expectGenerated } from './drift.ts';

const generated = 'Made from the source by `UPDATE=1 npm run drift`. Do not edit.';

test('docs/contract.md lists every call and stream of the contract', async () => {
  await expectGenerated('docs/contract.md', contractPage());
});

test('docs/errors.md lists every error code', async () => {
  const rows = Object.entries(errorTable).map(([code, sentence]) => `| \`${code}\` | ${sentence} |`);
  const page = [
    '# Errors',
    '',
    generated,
    '',
    '| Code | What it means and what to do |',
    '| --- | --- |',
    ...rows,
  ];
  await expectGenerated('docs/errors.md', `${page.join('\n')}\n`);
});

function contractPage(): string {
  const lines = ['# Contract', '', generated, '', 'Every call and stream between a page and the engine.'];
  for (const [noun, verbs] of Object.entries(contract)) {
    for (const [verb, procedure] of Object.entries(verbs)) {
      if (!isContractProcedure(procedure)) throw new Error(`"${noun}.${verb}" is not a call`);
      const { inputSchema, outputSchema } = schemasOf(procedure);
      const stream = outputSchema && getEventIteratorSchemaDetails(outputSchema);
      lines.push('', `## ${noun}.${verb}`);
      lines.push(...schemaLines('Takes', inputSchema));
      lines.push(...(stream ? schemaLines('Streams', stream.yields) : schemaLines('Returns', outputSchema)));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** oRPC types these as `any`; they are what `.input()` and `.output()` were given. */
function schemasOf(procedure: AnyContractProcedure): { inputSchema?: AnySchema; outputSchema?: AnySchema } {
  return procedure['~orpc'] as { inputSchema?: AnySchema; outputSchema?: AnySchema };
}

function schemaLines(label: string, schema: AnySchema | undefined): string[] {
  if (!schema) return ['', `${label} nothing.`];
  const json = z.toJSONSchema(schema as unknown as z.ZodType, { io: label === 'Takes' ? 'input' : 'output' });
  delete json.$schema;
  return ['', `${label}`, '', '```json', JSON.stringify(json, null, 2), '```'];
}
