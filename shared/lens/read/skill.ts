import { isMap } from 'yaml';
import { tokenizeTools } from '../../agent-skills/allowed-tools.ts';
import { skillKeys } from '../../model/file-keys.ts';
import type { Dependency, Enabled, Skill, SkillSource, SkillType, TrustLevel } from '../../model/skill.ts';
import { skillTypes, trustLevels } from '../../model/skill.ts';
import { isSkillName, lookupSkillName, toSkillName } from '../names.ts';
import { quote } from '../problems.ts';
import { parseLibraryReference, parseReference } from '../reference.ts';
import type { Entry, Fields, Reader } from './fields.ts';
import { given, unlessEmpty } from './given.ts';
import { readMaps, readName, reportDuplicates } from './named.ts';
import { readResources, readScripts, readTemplates } from './scripts.ts';

/** Reads the skills of a lens or library; entries without a name are left out. */
export function readSkills(reader: Reader, entries: readonly Entry[]): Skill[] {
  const skills = readMaps(reader, entries, 'skills', readSkill);
  reportDuplicates(reader, skills, { code: 'skill.duplicate-name', what: 'Skill', lookup: lookupSkillName });
  return skills;
}

/** Reads one skill; fields that do not fit are reported and left out. */
export function readSkill(fields: Fields): Skill | undefined {
  const name = readName(fields, 'skill.missing-name', 'Skill');
  if (name !== undefined) checkName(fields, name);
  const source = readSource(fields);
  const folder = fields.text('path');
  const written = fields.choice('type', skillTypes);
  const type = skillTypes.find((known) => known === written) ?? inferType(source, folder);
  const skill = given({
    name: name ?? '',
    description: fields.text('description', 1024),
    type,
    instructions: fields.text('instructions'),
    scripts: readScripts(fields),
    templates: readTemplates(fields),
    resources: readResources(fields),
    source,
    folder,
    triggers: fields.texts('triggers'),
    compatibility: fields.text('compatibility', 500),
    allowedTools: readAllowedTools(fields),
    preset: fields.text('preset'),
    permissions: readPlainMap(fields, 'permissions'),
    security: readPlainMap(fields, 'security'),
    parametersSchema: readPlainMap(fields, 'parameters_schema'),
    trust: readTrust(fields),
    timeoutSeconds: fields.number('timeout', { min: 1, max: 300 }),
    override: fields.flag('override'),
    validateWith: readValidateWith(fields),
    dependsOn: readDependencies(fields),
    produces: readContextKeys(fields, 'produces'),
    requires: readContextKeys(fields, 'requires'),
    files: fields.texts('files'),
    cache: fields.flag('cache'),
    enabled: readEnabled(fields),
    extra: unlessEmpty(fields.rest(skillKeys)),
    at: fields.at,
    path: fields.path,
  });
  if (name === undefined) return undefined;
  checkContent(fields, skill);
  return skill;
}

function checkName(fields: Fields, name: string): void {
  if (isSkillName(name)) return;
  const node = fields.get('name')!;
  const allowed = toSkillName(name);
  const rule = 'use up to 64 lower-case letters, digits and single hyphens, starting with a letter';
  fields.reader.report('skill.bad-name', node, `Skill name ${quote(name)} is not allowed: ${rule}`, {
    fixes:
      allowed === undefined
        ? []
        : [
            {
              title: `Rename to "${allowed}"`,
              edits: [
                { file: fields.reader.source.file, start: node.range[0], end: node.range[1], text: allowed },
              ],
            },
          ],
  });
}

function inferType(source: SkillSource | undefined, folder: string | undefined): SkillType {
  if (source !== undefined) return 'reference';
  return folder === undefined ? 'inline' : 'local';
}

/** Says what an entry lacks to be usable; a reference or local entry may leave everything else to its definition. */
function checkContent(fields: Fields, skill: Skill): void {
  const { reader } = fields;
  const nameNode = fields.get('name')!;
  const place = quote(skill.name);
  if (skill.type === 'inline') {
    if (skill.description === undefined || skill.description.trim() === '') {
      reader.report('skill.missing-description', nameNode, `Skill ${place} has no description`);
    }
    if (skill.instructions === undefined && !fields.has('scripts')) {
      reader.report(
        'skill.no-content',
        nameNode,
        `Skill ${place} does nothing: add "instructions" or "scripts"`,
      );
    }
  } else if (skill.type === 'reference' ? skill.source === undefined : skill.folder === undefined) {
    const key = skill.type === 'reference' ? 'source' : 'path';
    reader.report(
      'skill.missing-source',
      nameNode,
      `Skill ${place} is of type "${skill.type}" but has no "${key}"`,
    );
  }
}

function readSource(fields: Fields): SkillSource | undefined {
  const placed = fields.placedText('source');
  if (placed === undefined) return undefined;
  const library = parseLibraryReference(placed.text);
  if (library.ok && !placed.text.replace(/^[a-z]+:\/\//, '').includes(':'))
    return { ...placed, library: library.value };
  const skill = parseReference(placed.text);
  if (skill.ok) return { ...placed, reference: skill.value };
  if (library.ok) return { ...placed, library: library.value };
  fields.reader.problems.add(
    'reference.malformed',
    placed.at,
    `Cannot read source ${quote(placed.text)}: ${skill.problem}`,
  );
  return placed;
}

function readDependencies(fields: Fields): Dependency[] | undefined {
  const node = fields.get('depends_on');
  if (node === undefined) return undefined;
  const { reader } = fields;
  const path = fields.pathOf('depends_on');
  const entries = isMap(node)
    ? [{ node, path }]
    : fields.entries('depends_on', 'a reference or a list of references');
  return entries.flatMap((entry) => {
    const map = isMap(entry.node) ? reader.fields(entry.node, entry.path, 'depends_on') : undefined;
    map?.rest(['source']);
    if (map !== undefined && !map.has('source')) {
      reader.report('reference.malformed', entry.node, 'Dependency has no "source"');
      return [];
    }
    const textNode = map === undefined ? entry.node : map.get('source')!;
    const text = reader.text(textNode, map === undefined ? 'depends_on' : 'source');
    if (text === undefined) return [];
    const place = {
      at: reader.source.at(textNode),
      path: map === undefined ? entry.path : map.pathOf('source'),
    };
    const reference = parseReference(text);
    if (reference.ok) return [{ text, reference: reference.value, ...place }];
    reader.problems.add(
      'reference.malformed',
      place.at,
      `Cannot read dependency ${quote(text)}: ${reference.problem}`,
    );
    return [{ text, ...place }];
  });
}

function readContextKeys(fields: Fields, key: string) {
  return fields.placedTexts(key)?.map(({ text, at, path }) => ({ key: text, at, path }));
}

function readAllowedTools(fields: Fields): string[] | undefined {
  const key = fields.has('allowed_tools') ? 'allowed_tools' : 'allowed-tools';
  if (key === 'allowed_tools' && fields.has('allowed-tools')) {
    const message = '"allowed-tools" is given beside "allowed_tools", which counts';
    fields.reader.report('key.duplicate-form', fields.keyNode('allowed-tools'), message);
  }
  return fields.texts(key)?.flatMap(tokenizeTools);
}

function readPlainMap(fields: Fields, key: string): unknown {
  return fields.map(key) === undefined ? undefined : fields.plain(key);
}

/** An unknown trust level must never grant more than the default, so it is reported and left out. */
function readTrust(fields: Fields): TrustLevel | undefined {
  const trust = fields.choice('trust', trustLevels);
  return trustLevels.find((level) => level === trust);
}

function readValidateWith(fields: Fields): Skill['validateWith'] {
  const map = fields.map('validate_with');
  if (map === undefined) return undefined;
  map.rest(['validators', 'personas', 'min_confidence']);
  return given({
    validators: map.texts('validators'),
    personas: map.texts('personas'),
    minConfidence: map.number('min_confidence', { min: 0, max: 1 }),
  });
}

function readEnabled(fields: Fields): Enabled | undefined {
  const map = fields.map('enabled');
  if (map === undefined) return undefined;
  map.rest(['env', 'param', 'equals']);
  const env = map.text('env');
  const param = map.text('param');
  const equalsValue = map.plain('equals');
  const equals = equalsValue === undefined ? undefined : String(equalsValue);
  if (env !== undefined) return given({ env, equals });
  if (param !== undefined) return given({ param, equals });
  fields.reader.wrongType(map.node, 'enabled', '"env" or "param"');
  return undefined;
}
