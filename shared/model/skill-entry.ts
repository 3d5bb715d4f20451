import { z } from 'zod';
import { scriptLanguages, skillTypes, trustLevels } from './skill.ts';

const texts = z.union([z.string(), z.array(z.string())]);

export const ScriptEntry = z
  .looseObject({
    name: z.string().describe('Plain file name, such as "check.py"; no folders'),
    language: z.enum(scriptLanguages).optional().describe('Interpreter; inferred from the extension'),
    content: z.string().optional().describe('The script itself'),
    path: z.string().optional().describe('A script file, relative to this file'),
    args: texts.optional().describe('Arguments; ${variables} are filled in, each as one argument'),
    description: z.string().optional().describe('What the script does'),
  })
  .meta({ id: 'Script' });

export const TemplateEntry = z
  .looseObject({ name: z.string(), content: z.string().describe('Text with ${variables}') })
  .meta({ id: 'Template' });

export const ResourceEntry = z
  .looseObject({
    name: z.string(),
    url: z.string().optional().describe('Shown to the model; never fetched by the studio'),
    path: z.string().optional().describe('A file, relative to this file'),
  })
  .meta({ id: 'Resource' });

export const EnabledEntry = z
  .looseObject({
    env: z.string().optional().describe('Environment variable that must be set'),
    param: z.string().optional().describe('Run parameter that must be given'),
    equals: z.union([z.string(), z.number(), z.boolean()]).optional().describe('The value it must have'),
  })
  .meta({ id: 'Enabled' });

export const ValidateWithEntry = z
  .looseObject({
    validators: texts.optional().describe('Validators of the lens that judge the result'),
    personas: texts.optional().describe('Personas of the lens that judge the result'),
    min_confidence: z.number().min(0).max(1).optional().describe('Confidence the result needs (0.7)'),
  })
  .meta({ id: 'ValidateWith' });

const dependency = z.union([z.string(), z.looseObject({ source: z.string() })]);

/** A skill as it is written in a lens or a library. */
export const SkillEntry = z
  .looseObject({
    name: z
      .string()
      .max(64)
      .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
      .describe('Lower-case letters, digits and single hyphens, at most 64'),
    description: z.string().max(1024).optional().describe('What the skill does and when to use it'),
    type: z.enum(skillTypes).optional().describe('Inferred from "source" or "path" when left out'),
    instructions: z.string().optional().describe('What a model is told to do'),
    scripts: z.array(ScriptEntry).optional().describe('Scripts that run in the sandbox, in order'),
    templates: z.array(TemplateEntry).optional(),
    resources: z.array(ResourceEntry).optional(),
    source: z
      .string()
      .optional()
      .describe('Where the definition comes from: "<library>:<name>" or a library'),
    path: z.string().optional().describe('A folder with a SKILL.md, relative to this file'),
    triggers: texts.optional().describe('Words that make the skill a candidate for a task'),
    compatibility: z.string().max(500).optional().describe('What the skill needs to run'),
    allowed_tools: texts.optional().describe('Tools a model may use in this skill'),
    'allowed-tools': texts.optional().describe('Same as "allowed_tools"'),
    preset: z.string().optional().describe('Permission preset to start from'),
    permissions: z.looseObject({}).optional().describe('Laid over the preset'),
    security: z.looseObject({}).optional(),
    parameters_schema: z
      .looseObject({})
      .optional()
      .describe(
        'JSON Schema of the parameters, by name under "properties". A property\'s "default" is its value where none is given, ' +
          'others than those of its "enum" are refused, and texts are taken as its "type" where they are written so',
      ),
    trust: z.enum(trustLevels).optional().describe('How much the scripts may do (sandboxed)'),
    timeout: z.number().min(1).max(300).optional().describe('Seconds each script may take (30)'),
    override: z.boolean().optional().describe('Replacing an inherited skill of this name is meant'),
    validate_with: ValidateWithEntry.optional().describe('What judges the result'),
    depends_on: z
      .union([dependency, z.array(dependency)])
      .optional()
      .describe(
        'Skills that run before: "name", "sunwell/common:name", "./path:name", "fount://pkg@range:name"',
      ),
    produces: texts.optional().describe('Context keys this skill delivers'),
    requires: texts.optional().describe('Context keys this skill reads'),
    files: texts.optional().describe('Globs of workspace files the skill may see; [] means none'),
    cache: z.boolean().optional().describe('false for skills with side effects'),
    enabled: EnabledEntry.optional().describe('The skill exists only under this condition'),
  })
  .meta({ id: 'Skill' });
