import { Skill } from './skill.ts';

declare const anything: any;
declare function work(): Promise<void>;

/** Breaks every rule that needs types. */
export async function careless(skill: Skill, kind: 'a' | 'b'): Promise<void> {
  await skill;
  work();
  [1].forEach(async () => work());
  const same = kind as 'a' | 'b';
  const given = anything;
  anything();
  Math.abs(anything);
  // @ts-ignore
  if (anything.name) throw 'text';
  if (given) await Promise.reject('text');
  switch (same) {
    case 'a':
      break;
  }
  try {
    return work();
  } catch (error) {
    return anything;
  }
}
