import { head } from './lens-head.ts';

/** A lens without skills. */
export const empty = (name: string): string => `${head(name, 'Says in a sentence what it is for', 'starter')}
  skills: []
`;

/** One skill with one script. */
export const oneScript = (name: string): string => `${head(name, 'Counts the words of every page', 'starter')}
  skills:
    # A skill sees only the files that it names.
    - name: count-words
      description: Count the words of every Markdown page
      files: ["**/*.md"]
      produces: [word_counts]
      scripts:
        - name: count-words.py
          language: python
          content: |
            import json
            from pathlib import Path

            counts = {
                path.as_posix(): len(path.read_text(encoding="utf-8").split())
                for path in sorted(Path(".").rglob("*.md"))
            }
            print(json.dumps({"word_counts": counts}))
`;

/** Three scripts in three waves; the last proposes a page. */
export const report = (
  name: string,
): string => `${head(name, 'Finds open ends and writes a page about them', 'starter, report')}
  # What must hold for a result; a skill names the ones it is judged by.
  validators:
    deterministic:
      - name: has-heading
        matches: '^# '
        severity: error

  skills:
    - name: list-files
      description: List the text files of the workspace
      produces: [file_list]
      scripts:
        - name: list-files.py
          language: python
          content: |
            import json
            from pathlib import Path

            kinds = {".md", ".txt", ".py", ".js", ".ts"}
            files = sorted(path.as_posix() for path in Path(".").rglob("*") if path.suffix in kinds)
            print(json.dumps({"file_list": files}))

    - name: find-open-ends
      description: Find lines that say that something is still to be done
      depends_on: [list-files]
      requires: [file_list]
      produces: [open_ends]
      scripts:
        - name: find-open-ends.py
          language: python
          content: |
            import json
            import sys
            from pathlib import Path

            found = []
            for name in json.load(sys.stdin)["inputs"]["file_list"]:
                lines = Path(name).read_text(encoding="utf-8", errors="replace").splitlines()
                found += [
                    {"file": name, "line": number, "text": line.strip()}
                    for number, line in enumerate(lines, 1)
                    if "TODO" in line or "FIXME" in line
                ]
            print(json.dumps({"open_ends": found}))

    # Scripts write nothing themselves: this page is proposed, and you decide.
    - name: write-report
      description: Propose a page that lists them
      depends_on: [find-open-ends]
      requires: [open_ends]
      produces: [report]
      files: []
      validate_with:
        validators: [has-heading]
      scripts:
        - name: write-report.py
          language: python
          content: |
            import json
            import os
            import sys
            from pathlib import Path

            found = json.load(sys.stdin)["inputs"]["open_ends"]
            lines = ["# Open ends", ""] + [f"- {end['file']}:{end['line']} {end['text']}" for end in found]
            page = "\\n".join(lines if found else [*lines, "Nothing is left to be done."]) + "\\n"
            (Path(os.environ["SUNWELL_FILES"]) / "open-ends.md").write_text(page, encoding="utf-8")
            print(json.dumps({"report": page, "content": page}))
`;

/** A skill that needs inputs. */
export const question = (
  name: string,
): string => `${head(name, 'Searches the workspace for words that you give', 'starter, search')}
  # Asked for before a run; what you typed is remembered.
  inputs:
    words:
      description: What to look for
      type: string
    ignore_case:
      description: Whether capital letters make no difference
      type: boolean
      default: true

  skills:
    - name: search
      description: Find the lines that hold the words
      requires: [words, ignore_case]
      produces: [matches]
      scripts:
        - name: search.py
          language: python
          content: |
            import json
            import sys
            from pathlib import Path

            inputs = json.load(sys.stdin)["inputs"]
            fold = str.casefold if inputs["ignore_case"] else str
            matches = []
            for path in sorted(Path(".").rglob("*")):
                if not path.is_file():
                    continue
                text = path.read_text(encoding="utf-8", errors="replace")
                matches += [
                    f"{path.as_posix()}:{number}"
                    for number, line in enumerate(text.splitlines(), 1)
                    if fold(inputs["words"]) in fold(line)
                ]
            print(json.dumps({"matches": matches}))
`;
