import { given } from '../lens/read/given.ts';
import { parseReference } from '../lens/reference.ts';
import type { Location } from '../model/diagnostic.ts';
import type { Resource, Script, Skill, Template } from '../model/skill.ts';
import { tokenizeTools } from './allowed-tools.ts';
import type { SkillReading } from './read-skill.ts';
import { SkillProblems } from './problem.ts';
import type { SkillProblem } from './problem.ts';
import { composeBody, edgesOf, ownInstructions } from './skill-body.ts';
import { decodeSunwell, encodeSunwell, sunwellKey } from './sunwell-metadata.ts';
import type { SunwellMetadata } from './sunwell-metadata.ts';
import type { NewSkill } from './write-skill.ts';

/** Where the files of a skill go in its folder, each by its position; undefined for a resource that is only a URL. */
export interface SkillFilePaths {
  readonly scripts: readonly string[];
  readonly templates: readonly string[];
  readonly resources: readonly (string | undefined)[];
}

/** A skill of a lens as a SKILL.md: what the format has no field for goes into `metadata.sunwell`. */
export function toNewSkill(
  skill: Skill,
  { paths, sections = '' }: { readonly paths: SkillFilePaths; readonly sections?: string },
): NewSkill {
  const tools = skill.allowedTools?.join(' ');
  const hasOwnTools =
    tools !== undefined && tools !== '' && sameTexts(tokenizeTools(tools), skill.allowedTools!);
  const metadata = metadataOf(skill, paths, hasOwnTools);
  return given({
    name: skill.name,
    description: skill.description ?? '',
    compatibility: skill.compatibility,
    allowedTools: hasOwnTools ? tools : undefined,
    metadata: Object.keys(metadata).length === 0 ? undefined : { [sunwellKey]: encodeSunwell(metadata) },
    body: composeBody(skill.instructions, sections),
  });
}

function metadataOf(skill: Skill, paths: SkillFilePaths, hasOwnTools: boolean): SunwellMetadata {
  const { validateWith } = skill;
  const metadata = given({
    depends_on: skill.dependsOn?.map(({ text }) => text),
    produces: skill.produces?.map(({ key }) => key),
    requires: skill.requires?.map(({ key }) => key),
    files: skill.files,
    triggers: skill.triggers,
    allowed_tools: hasOwnTools ? undefined : skill.allowedTools,
    trust: skill.trust,
    timeout: skill.timeoutSeconds,
    cache: skill.cache,
    override: skill.override,
    preset: skill.preset,
    permissions: skill.permissions,
    security: skill.security,
    parameters_schema: skill.parametersSchema,
    validate_with:
      validateWith &&
      given({
        validators: validateWith.validators,
        personas: validateWith.personas,
        min_confidence: validateWith.minConfidence,
      }),
    enabled: skill.enabled,
    scripts: skill.scripts?.map(({ name, language, args, description }, index) =>
      given({
        name,
        language,
        path: paths.scripts[index],
        args: args.length > 0 ? args : undefined,
        description,
      }),
    ),
    templates: skill.templates?.map(({ name }, index) => ({ name, path: paths.templates[index] })),
    resources: skill.resources?.map(({ name, url }, index) =>
      given({ name, url, path: paths.resources[index] }),
    ),
    instructions: edgesOf(skill.instructions),
    extra: skill.extra,
  });
  return metadata as SunwellMetadata;
}

/** The `metadata.sunwell` of a SKILL.md, and what is wrong with it. */
export function readSunwell(reading: SkillReading): {
  readonly metadata: SunwellMetadata;
  readonly problems: readonly SkillProblem[];
} {
  const text = reading.properties.metadata?.[sunwellKey];
  const field = reading.fields.find(({ key }) => key === 'metadata');
  if (text === undefined || field === undefined) return { metadata: {}, problems: [] };
  const problems = new SkillProblems('lenient');
  const decoded = decodeSunwell(text);
  if (!decoded.ok) {
    const message = `Cannot use "metadata.sunwell": ${decoded.problem}`;
    problems.warning('agent-skill.bad-metadata', field.at, message);
    return { metadata: {}, problems: problems.list };
  }
  for (const dependency of decoded.value.depends_on ?? []) {
    const reference = parseReference(dependency);
    if (reference.ok) continue;
    const message = `Cannot read dependency "${dependency}" of "metadata.sunwell": ${reference.problem}`;
    problems.warning('agent-skill.bad-metadata', field.at, message);
  }
  return { metadata: decoded.value, problems: problems.list };
}

/**
 * A SKILL.md as a skill of the graph. Scripts and templates whose texts are given carry their content, other scripts
 * their path; templates without a text are left out.
 */
export function toLensSkill(
  reading: SkillReading,
  { file, texts = new Map() }: { readonly file: string; readonly texts?: ReadonlyMap<string, string> },
): Skill {
  const { metadata } = readSunwell(reading);
  const at: Location = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const field = (key: string) => reading.fields.find((candidate) => candidate.key === key);
  const inMetadata = { at: { file, ...(field('metadata')?.at ?? at) }, path: [] };
  const tools = reading.properties.allowedTools;
  const { validate_with: judged } = metadata;
  return given({
    name: reading.properties.name ?? '',
    description:
      reading.properties.description === undefined ? undefined : (field('description')!.value as string),
    type: 'inline' as const,
    instructions: ownInstructions(reading.body, metadata.instructions),
    scripts: metadata.scripts?.map(({ name, language, path, args = [], description }): Script => {
      const content = texts.get(path);
      return given({
        name,
        language,
        content,
        file: content === undefined ? path : undefined,
        args,
        description,
        ...inMetadata,
      });
    }),
    templates: metadata.templates?.flatMap(({ name, path }): Template[] => {
      const content = texts.get(path);
      return content === undefined ? [] : [{ name, content, ...inMetadata }];
    }),
    resources: metadata.resources?.map(({ name, url, path }): Resource =>
      given({ name, url, file: path, ...inMetadata }),
    ),
    triggers: metadata.triggers,
    compatibility: reading.properties.compatibility,
    allowedTools: metadata.allowed_tools ?? (tools === undefined ? undefined : tokenizeTools(tools)),
    preset: metadata.preset,
    permissions: metadata.permissions,
    security: metadata.security,
    parametersSchema: metadata.parameters_schema,
    trust: metadata.trust,
    timeoutSeconds: metadata.timeout,
    override: metadata.override,
    validateWith:
      judged &&
      given({
        validators: judged.validators,
        personas: judged.personas,
        minConfidence: judged.min_confidence,
      }),
    dependsOn: metadata.depends_on?.map((text) => {
      const reference = parseReference(text);
      return given({ text, reference: reference.ok ? reference.value : undefined, ...inMetadata });
    }),
    produces: metadata.produces?.map((key) => ({ key, ...inMetadata })),
    requires: metadata.requires?.map((key) => ({ key, ...inMetadata })),
    files: metadata.files,
    cache: metadata.cache,
    enabled: metadata.enabled && given(metadata.enabled),
    extra: metadata.extra,
    at,
    path: [],
  });
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
