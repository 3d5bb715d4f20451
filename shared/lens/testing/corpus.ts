import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../../shared/corpus/sunwell');

/** A real file nobody here wrote, or a stand-in where the corpus is not on this machine. */
export interface CorpusFile {
  readonly name: string;
  readonly kind: 'lens' | 'library';
  readonly text: string;
}

/** True where the real files are on this machine. */
export const hasCorpus = existsSync(folder);

/** Every lens and library of the corpus, with stand-ins in the same manner first. */
export function corpusFiles(): CorpusFile[] {
  const files: CorpusFile[] = [
    { name: 'stand-in.lens', kind: 'lens', text: standInLens },
    { name: 'stand-in.skills.yaml', kind: 'library', text: standInLibrary },
  ];
  if (!hasCorpus) return files;
  for (const name of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
    const kind = name.endsWith('.lens') ? 'lens' : name.endsWith('.yaml') ? 'library' : undefined;
    if (kind !== undefined) files.push({ name, kind, text: readFileSync(join(folder, name), 'utf8') });
  }
  return files;
}

const standInLens = `# A lens in the manner of the wild
lens:
  metadata:
    name: "Careful Reviewer"   # shown in the explorer
    version: "1.2.0"
    description: |
      Reads twice.

      Writes once.
    tags: [review, "careful", 'slow']

  # ====== how it thinks ======
  heuristics:
    - name: "Evidence first"
      rule: "Every claim needs a line"
      priority: 0.9
      examples:
        good: "see a.ts:12"
        bad: "it seems"

    # the second one
    - name: Small steps
      rule: >
        Change one thing
        at a time
      always:
      - read the test   # first
      - run it
  validators:
    deterministic:
      - { name: no-todo, not_contains: TODO, severity: error }
      - name: short
        max_words: 400
    heuristic:
      - name: clear
        check: Would a newcomer understand it?
  quality_policy:
    min_confidence: 0.8
    required_validators: [
      no-todo,   # always
      short,
    ]
  router:
    shortcuts: {"::r": review, "::s": summarise}
  skills:
    - name: summarise
      description: 'Says what it''s about'
      instructions: |-
        One paragraph.
    - name: review
      description: Reviews a change
      depends_on: summarise
      requires: [summary]
      instructions: "Review it"
# the end
`;

const standInLibrary = `skills:
- name: read-file
  description: Reads a file
  produces:
  - file_content
  instructions: |+
    Read it.

- name: count-words
  description: Counts words
  depends_on:
  - source: read-file
  requires: [file_content]
  scripts:
  - name: count.py
    language: python
    content: |
      import sys
      print(len(sys.stdin.read().split()))
`;
