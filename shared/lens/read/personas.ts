import type { Persona } from '../../model/lens.ts';
import { lensKeys } from '../../model/file-keys.ts';
import { lookupName } from '../names.ts';
import type { Fields } from './fields.ts';
import { given, unlessEmpty } from './given.ts';
import { readMaps, readName, reportDuplicates } from './named.ts';

/** Reads the personas of a lens. */
export function readPersonas(lens: Fields): Persona[] {
  const personas = readMaps(lens.reader, lens.entries('personas'), 'personas', readPersona);
  reportDuplicates(lens.reader, personas, {
    code: 'lens.duplicate-name',
    what: 'Persona',
    lookup: lookupName,
  });
  return personas;
}

function readPersona(fields: Fields): Persona | undefined {
  const name = readName(fields, 'persona.missing-name', 'Persona');
  const persona = given({
    name: name ?? '',
    description: fields.text('description'),
    background: fields.text('background'),
    goals: fields.texts('goals'),
    frictionPoints: fields.texts('friction_points'),
    attackVectors: fields.texts('attack_vectors'),
    evaluationPrompt: fields.text('evaluation_prompt'),
    outputFormat: fields.text('output_format'),
    override: fields.flag('override'),
    extra: unlessEmpty(fields.rest(lensKeys.persona)),
    at: fields.at,
    path: fields.path,
  });
  return name === undefined ? undefined : persona;
}
