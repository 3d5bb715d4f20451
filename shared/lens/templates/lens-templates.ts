import { codeReview, documentation, testGeneration } from './expert-lenses.ts';
import { empty, oneScript, question, report } from './starter-lenses.ts';

/** A lens to begin with. */
export interface LensTemplate {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  /** The text of a lens of this name. */
  readonly text: (name: string) => string;
}

/** Every template of a lens, in the order in which they are offered. */
export const lensTemplates: readonly [LensTemplate, ...LensTemplate[]] = [
  {
    ...{ id: 'scripts', title: 'Scripts only', text: report },
    detail: 'Gather, check, report: three skills in three waves; the last proposes a page and is judged',
  },
  {
    ...{ id: 'docs', title: 'Documentation', text: documentation },
    detail: 'Checks pages and links and proposes a list of repairs; needs no model',
  },
  {
    ...{ id: 'review', title: 'Code review', text: codeReview },
    detail: 'A script collects the code, a model reviews it, checks and a persona judge the review',
  },
  {
    ...{ id: 'tests', title: 'Test generation', text: testGeneration },
    detail: 'Scripts find what no test names, a model writes the first tests',
  },
  {
    ...{ id: 'question', title: 'Ask first', text: question },
    detail: 'A skill that needs inputs, asked for before the run',
  },
  {
    ...{ id: 'one', title: 'One script', text: oneScript },
    detail: 'One skill that reads pages and delivers a value',
  },
  {
    ...{ id: 'empty', title: 'Empty', text: empty },
    detail: 'No skills: add them in the graph',
  },
];
