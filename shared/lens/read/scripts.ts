import type { Resource, Script, ScriptLanguage, Template } from '../../model/skill.ts';
import { resourceKeys, scriptKeys, templateKeys } from '../../model/file-keys.ts';
import { scriptLanguages } from '../../model/skill.ts';
import { quote } from '../problems.ts';
import type { Fields } from './fields.ts';
import { given } from './given.ts';
import { readMaps, readName } from './named.ts';

const languageByExtension: Readonly<Record<string, ScriptLanguage>> = {
  py: 'python',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  ts: 'node',
  sh: 'bash',
  bash: 'bash',
};

const languageAliases: Readonly<Record<string, ScriptLanguage>> = {
  python3: 'python',
  javascript: 'node',
  js: 'node',
  typescript: 'node',
  sh: 'bash',
  shell: 'bash',
};

/** Reads the scripts of a skill; one that could leave its folder or has no language is reported and left out. */
export function readScripts(skill: Fields): Script[] | undefined {
  if (!skill.has('scripts')) return undefined;
  return readMaps(skill.reader, skill.entries('scripts'), 'scripts', readScript);
}

function readScript(fields: Fields): Script | undefined {
  fields.rest(scriptKeys);
  const name = readName(fields, 'skill.bad-script-name', 'Script');
  const content = fields.text('content');
  const file = fields.text('path');
  const language = readLanguage(fields, name);
  const args = fields.texts('args') ?? [];
  const description = fields.text('description');
  if (name === undefined) return undefined;
  const { reader } = fields;
  if (!isPlainFileName(name)) {
    reader.report(
      'skill.bad-script-name',
      fields.get('name')!,
      `Script name ${quote(name)} is not a plain file name`,
    );
    return undefined;
  }
  if (content === undefined && file === undefined) {
    reader.report(
      'skill.empty-script',
      fields.get('name')!,
      `Script ${quote(name)} has no "content" and no "path"`,
    );
  }
  if (language === undefined) return undefined;
  return given({ name, language, content, file, args, description, at: fields.at, path: fields.path });
}

/** Says whether a name stays in its folder on every system. */
export function isPlainFileName(name: string): boolean {
  if (name === '.' || name.includes('..') || name.length > 255) return false;
  return !/[/\\:*?"<>|\u0000-\u001f\u007f]/.test(name) && name === name.trim() && !name.startsWith('-');
}

function readLanguage(fields: Fields, name: string | undefined): ScriptLanguage | undefined {
  const written = fields.text('language');
  if (written !== undefined) {
    const language =
      scriptLanguages.find((known) => known === written.toLowerCase()) ?? aliasOf(written.toLowerCase());
    if (language !== undefined) return language;
    const message = `Language ${quote(written)} is not known: use ${scriptLanguages.join(', ')}`;
    fields.reader.report('skill.unknown-language', fields.get('language')!, message);
    return undefined;
  }
  const extension = /\.([a-z0-9]+)$/i.exec(name ?? fields.text('path') ?? '')?.[1]?.toLowerCase() ?? '';
  const language = Object.hasOwn(languageByExtension, extension) ? languageByExtension[extension] : undefined;
  if (language === undefined && name !== undefined) {
    const message = `Cannot tell the language of script ${quote(name)}: add "language"`;
    fields.reader.report('skill.unknown-language', fields.get('name')!, message);
  }
  return language;
}

function aliasOf(written: string): ScriptLanguage | undefined {
  return Object.hasOwn(languageAliases, written) ? languageAliases[written] : undefined;
}

/** Reads the templates of a skill. */
export function readTemplates(skill: Fields): Template[] | undefined {
  if (!skill.has('templates')) return undefined;
  return readMaps(skill.reader, skill.entries('templates'), 'templates', (fields) => {
    fields.rest(templateKeys);
    const name = fields.text('name');
    const content = fields.text('content');
    if (name !== undefined && content !== undefined)
      return { name, content, at: fields.at, path: fields.path };
    fields.reader.wrongType(fields.node, 'templates', '"name" and "content"');
    return undefined;
  });
}

/** Reads the resources of a skill. */
export function readResources(skill: Fields): Resource[] | undefined {
  if (!skill.has('resources')) return undefined;
  return readMaps(skill.reader, skill.entries('resources'), 'resources', (fields) => {
    fields.rest(resourceKeys);
    const name = fields.text('name');
    const url = fields.text('url');
    const file = fields.text('path');
    if (name !== undefined && (url !== undefined || file !== undefined)) {
      return given({ name, url, file, at: fields.at, path: fields.path });
    }
    fields.reader.wrongType(fields.node, 'resources', '"name" and "url" or "path"');
    return undefined;
  });
}
