"""Puts what is known of the documentation on one page."""

import json
import sys

inputs = json.load(sys.stdin)["inputs"]
counts = inputs["word_counts"]
lines = ["# How the documentation stands", ""]
lines += [f"Pages: {len(counts['pages'])}, words: {counts['total']}, minutes to read: {counts['minutes']}.", ""]
lines += ["## Links that lead nowhere", ""]
lines += [f"- {d['page']}:{d['line']}: {d['target']} ({d['problem']})" for d in inputs["dead_links"]] or ["None."]
lines += ["", "## Headings that skip a level", ""]
skipped = [f"- {o['page']}:{number}" for o in inputs["outlines"] for number in o["skipped_levels"]]
lines += skipped or ["None."]
lines += ["", "## Open notes", ""]
lines += [f"- {t['path']}:{t['line']}: {t['kind']} {t['text']}".rstrip() for t in inputs["todos"]] or ["None."]
report = "\n".join(lines) + "\n"
print(json.dumps({"docs_report": report, "content": report}))
