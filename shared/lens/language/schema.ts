import { jsonSchema } from '../../model/json-schemas.ts';
import type { LanguageFile } from './file-facts.ts';
import type { Path } from '../yaml/source.ts';

/** The parts of a JSON Schema that completion and hover read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** One way in which a value may be written; what a union allows is several. */
export type Shape = Omit<Schema, '$ref' | 'anyOf'>;

const files = new Map<LanguageFile['kind'], Schema>();

function fileSchema(kind: LanguageFile['kind']): Schema {
  let schema = files.get(kind);
  if (!schema) files.set(kind, (schema = jsonSchema(kind) as Schema));
  return schema;
}

/** The ways in which the value at a path of a lens or library may be written; none where the schema leaves it open. */
export function shapesAt(kind: LanguageFile['kind'], path: Path): readonly Shape[] {
  const root = fileSchema(kind);
  let shapes = expand(root, root);
  for (const [depth, step] of path.entries()) {
    const isWorkflows = typeof path[depth - 1] !== 'number' && step === 'workflows';
    shapes = isWorkflows
      ? expand(workflows, root)
      : shapes.flatMap((shape) => {
          const next = typeof step === 'number' ? shape.items : propertyOf(shape, step);
          return next === undefined ? [] : expand(next, root);
        });
  }
  return shapes;
}

/** What the schema says of the value at a path. */
export function descriptionAt(kind: LanguageFile['kind'], path: Path): string | undefined {
  return shapesAt(kind, path).find(({ description }) => description !== undefined)?.description;
}

function propertyOf({ properties, additionalProperties }: Shape, key: string): Schema | undefined {
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  const isOpen = typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0;
  return isOpen ? undefined : additionalProperties;
}

function expand(schema: Schema, root: Schema): readonly Shape[] {
  const { description } = schema;
  // What is said where a part is used counts more than what its definition says.
  const told = description === undefined ? {} : { description };
  if (schema.$ref !== undefined) {
    const target = root.definitions?.[schema.$ref.replace('#/definitions/', '')];
    return target ? expand(target, root).map((shape) => ({ ...shape, ...told })) : [];
  }
  if (schema.anyOf) {
    return schema.anyOf.flatMap((one) => expand(one, root)).map((shape) => ({ ...told, ...shape }));
  }
  return [schema];
}

const text: Schema = { type: 'string' };
const step: Schema = {
  anyOf: [
    { type: 'string', description: 'A skill' },
    {
      type: 'object',
      properties: {
        skill: { type: 'string', description: 'The skill to run' },
        parallel: { type: 'array', description: 'Steps that run at once', items: text },
        name: { type: 'string', description: 'The name of the step' },
        action: { type: 'string', description: 'What to do where no skill does it' },
        quality_gates: { type: 'array', description: 'Validators that must pass', items: text },
      },
    },
  ],
};
const workflow: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'The name people see' },
    description: text,
    steps: { type: 'array', description: 'What happens, in order', items: step },
  },
};
/** Workflows are left open in the schema, because the wild has many; these are the forms that mean something. */
const workflows: Schema = {
  description: 'Named sequences of steps',
  anyOf: [
    { type: 'array', items: workflow },
    { type: 'object', additionalProperties: { anyOf: [workflow, { type: 'array', items: step }] } },
  ],
};
