import { head } from './lens-head.ts';

/** Looks after pages, with scripts alone. */
export const documentation = (
  name: string,
): string => `${head(name, 'Keeps the pages of a project short, linked and true', 'docs')}
  # How this expert thinks; skills that a model does are told all of it.
  heuristics:
    - name: Say it once
      rule: Every fact has one page; other pages link to it
      priority: 9
    - name: Start with the task
      rule: A page begins with what the reader wants to do
      priority: 8

  personas:
    - name: Newcomer
      description: Reads the pages for the first time and knows no shorthand

  validators:
    deterministic:
      - name: has-heading
        matches: '^# '
        severity: error

  skills:
    - name: list-pages
      description: List every page with its title and its length
      files: ["**/*.md"]
      produces: [pages]
      scripts:
        - name: list-pages.py
          language: python
          content: |
            import json
            import re
            from pathlib import Path

            pages = []
            for path in sorted(Path(".").rglob("*.md")):
                text = path.read_text(encoding="utf-8", errors="replace")
                title = re.search(r"^#\\s+(.+)$", text, re.MULTILINE)
                pages.append({
                    "page": path.as_posix(),
                    "title": title.group(1).strip() if title else None,
                    "words": len(text.split()),
                })
            print(json.dumps({"pages": pages}))

    - name: check-links
      source: sunwell/common:check-links

    - name: find-weak-pages
      description: Find pages without a title, and pages too long to read
      depends_on: [list-pages]
      requires: [pages]
      produces: [weak_pages]
      files: []
      scripts:
        - name: find-weak-pages.py
          language: python
          content: |
            import json
            import sys

            weak = []
            for page in json.load(sys.stdin)["inputs"]["pages"]:
                if page["title"] is None:
                    weak.append({"page": page["page"], "problem": "no title"})
                if page["words"] > 1500:
                    weak.append({"page": page["page"], "problem": f"{page['words']} words"})
            print(json.dumps({"weak_pages": weak}))

    # Scripts write nothing themselves: this page is proposed, and you decide.
    - name: report-docs
      description: Propose a page that lists what to repair
      depends_on: [find-weak-pages, check-links]
      requires: [weak_pages, dead_links]
      produces: [docs_report]
      files: []
      validate_with:
        validators: [has-heading]
      scripts:
        - name: report-docs.py
          language: python
          content: |
            import json
            import os
            import sys
            from pathlib import Path

            inputs = json.load(sys.stdin)["inputs"]
            lines = ["# What to repair in the documentation", ""]
            lines += [f"- {weak['page']}: {weak['problem']}" for weak in inputs["weak_pages"]]
            lines += [f"- {dead['page']}:{dead['line']}: {dead['target']} leads nowhere" for dead in inputs["dead_links"]]
            page = "\\n".join(lines if len(lines) > 2 else [*lines, "Nothing."]) + "\\n"
            (Path(os.environ["SUNWELL_FILES"]) / "docs-report.md").write_text(page, encoding="utf-8")
            print(json.dumps({"docs_report": page, "content": page}))
`;

/** A model reviews what a script collected. */
export const codeReview = (
  name: string,
): string => `${head(name, 'Reads code as a careful colleague would', 'review, code')}
  heuristics:
    - name: Behaviour before style
      rule: Say what can go wrong for a user before anything else
      priority: 10
    - name: Evidence
      rule: Every finding names a file and a line
      test: Can the author find the place without asking?
      priority: 9
  anti_heuristics:
    - name: Nitpicking
      description: Findings that a formatter would make
      correction: Leave them to the formatter

  personas:
    - name: On-call engineer
      description: Is woken up when this breaks
      goals: [Know what can fail, Know how it would show]

  validators:
    deterministic:
      - name: not-too-long
        max_words: 600
        severity: warning
    heuristic:
      - name: names-places
        prompt: Does every finding name a file and a line?
        confidence_threshold: 0.8

  skills:
    - name: collect-code
      description: Collect the sources and their open ends
      files: ["**/*.py", "**/*.js", "**/*.ts"]
      produces: [sources, open_ends]
      scripts:
        - name: collect-code.py
          language: python
          content: |
            import json
            from pathlib import Path

            sources, open_ends = {}, []
            for path in sorted(Path(".").rglob("*")):
                if path.suffix not in {".py", ".js", ".ts"} or len(sources) >= 40:
                    continue
                text = path.read_text(encoding="utf-8", errors="replace")
                sources[path.as_posix()] = text[:6000]
                open_ends += [
                    f"{path.as_posix()}:{number}"
                    for number, line in enumerate(text.splitlines(), 1)
                    if "TODO" in line or "FIXME" in line
                ]
            print(json.dumps({"sources": sources, "open_ends": open_ends}))

    - name: review-code
      description: Review the sources, the most important finding first
      depends_on: [collect-code]
      requires: [sources, open_ends]
      produces: [review]
      files: []
      validate_with:
        validators: [not-too-long, names-places]
        personas: [On-call engineer]
      instructions: |
        Review this code as a careful colleague would.

        1. Say in one sentence what it does.
        2. List what is wrong or risky, most important first: file and line, what happens, what to do instead.
        3. If there is nothing to say, say "No findings".

        Known open ends: \${open_ends}

        \${sources}
`;

/** A model writes tests for what scripts found. */
export const testGeneration = (
  name: string,
): string => `${head(name, 'Finds what has no test and writes the first ones', 'tests, python')}
  heuristics:
    - name: One promise a test
      rule: A test checks one promise and its name says which
      priority: 9
    - name: Edges first
      rule: Empty, one, many, too many, and what is wrong
      priority: 8

  validators:
    deterministic:
      - name: has-a-test
        matches: 'def test_'
        severity: error

  skills:
    - name: list-functions
      description: List the public functions of the Python modules
      files: ["**/*.py"]
      produces: [functions, test_text]
      scripts:
        - name: list-functions.py
          language: python
          content: |
            import ast
            import json
            from pathlib import Path

            functions, tests = [], []
            for path in sorted(Path(".").rglob("*.py")):
                text = path.read_text(encoding="utf-8", errors="replace")
                if path.name.startswith("test_") or path.name.endswith("_test.py"):
                    tests.append(text)
                    continue
                try:
                    tree = ast.parse(text)
                except SyntaxError:
                    continue
                functions += [
                    {"module": path.as_posix(), "name": node.name, "source": ast.get_source_segment(text, node)}
                    for node in ast.walk(tree)
                    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
                ]
            print(json.dumps({"functions": functions, "test_text": "\\n".join(tests)}))

    - name: find-untested
      description: Find the functions that no test names
      depends_on: [list-functions]
      requires: [functions, test_text]
      produces: [untested]
      files: []
      scripts:
        - name: find-untested.py
          language: python
          content: |
            import json
            import re
            import sys

            inputs = json.load(sys.stdin)["inputs"]
            known = set(re.findall(r"\\w+", inputs["test_text"]))
            untested = [function for function in inputs["functions"] if function["name"] not in known]
            print(json.dumps({"untested": untested[:20]}))

    - name: write-tests
      description: Write tests for what has none
      depends_on: [find-untested]
      requires: [untested]
      produces: [tests]
      files: []
      validate_with:
        validators: [has-a-test]
      instructions: |
        Write pytest tests for the functions below. Answer with one Python module and nothing else.
        Import each function from its module. Test the usual case first, then the edges.

        \${untested}
`;
