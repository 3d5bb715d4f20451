/** An input as the lens declares it, as far as the form needs it. */
export interface DeclaredInput {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: string | undefined;
  /** What a run takes where nothing is typed, as text. */
  readonly defaultText: string | undefined;
}

/** What the form shows of an input of a resolved lens. */
export function declaredInput(
  input: Readonly<Record<string, unknown>> & { readonly name: string },
): DeclaredInput {
  const { name, description, type } = input;
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return {
    name,
    description: typeof description === 'string' && description !== '' ? description : undefined,
    type: typeof type === 'string' ? type : undefined,
    defaultText: input['default'] === undefined ? undefined : textOf(input['default']),
  };
}

/** The value that a typed text stands for, or why it is none of the declared type. */
export function inputValue(
  type: string | undefined,
  text: string,
): { readonly value: unknown } | { readonly problem: string } {
  const trimmed = text.trim();
  switch (type) {
    case 'number':
    case 'integer': {
      const value = Number(trimmed);
      const isFit = type === 'number' ? Number.isFinite(value) : Number.isSafeInteger(value);
      return isFit && trimmed !== ''
        ? { value }
        : { problem: type === 'number' ? 'Type a number' : 'Type a whole number' };
    }
    case 'boolean':
      if (trimmed === 'true' || trimmed === 'false') return { value: trimmed === 'true' };
      return { problem: 'Type true or false' };
    case 'array':
    case 'object':
      return jsonValue(type, trimmed);
    default:
      return { value: text };
  }
}

function jsonValue(type: 'array' | 'object', text: string): { value: unknown } | { problem: string } {
  const problem =
    type === 'array' ? 'Type a JSON list, such as ["a", "b"]' : 'Type a JSON object, such as {"a": 1}';
  try {
    const value: unknown = JSON.parse(text);
    const isFit = type === 'array' ? Array.isArray(value) : value?.constructor === Object;
    return isFit ? { value } : { problem };
  } catch {
    return { problem };
  }
}
