import type { DrawnSkill } from './graph-drawing.ts';

/** What one box of the graph stands for. */
export type SceneSubject =
  | { readonly kind: 'skill'; readonly drawn: DrawnSkill }
  /** The skills of one library in one wave, drawn as one. */
  | { readonly kind: 'group'; readonly library: string; readonly members: readonly DrawnSkill[] }
  /** A file that skills come from; `relation` says how the open file came to it. */
  | {
      readonly kind: 'source';
      readonly file: string;
      readonly isLens: boolean;
      readonly relation: string;
      readonly skillCount: number;
    };

export interface SceneItem {
  /** The record key of a skill; of other things a key that no skill can have. */
  readonly key: string;
  readonly title: string;
  readonly column: number;
  readonly subject: SceneSubject;
}
