import type { Skill } from '#shared/skill.ts';

export class RunView {
  #skills = $state.raw<readonly Skill[]>([]);

  get skills(): readonly Skill[] {
    return this.#skills;
  }
}
