/** The type without the properties that may be undefined, those being optional instead. */
export type Given<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Leaves out what is undefined, so that a property is there only where the file gives it. */
export function given<T extends object>(value: T): Given<T> {
  const result: Record<string, unknown> = {};
  for (const key in value) if (value[key] !== undefined) result[key] = value[key];
  return result as Given<T>;
}

/** Undefined for an empty record, so that models carry `extra` only where there is something. */
export function unlessEmpty<T extends object>(value: T): T | undefined {
  for (const _ in value) return value;
  return undefined;
}
