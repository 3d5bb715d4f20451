export interface Skill {
  readonly id: string;
}
