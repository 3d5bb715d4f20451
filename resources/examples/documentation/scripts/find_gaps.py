"""Finds public names that no page mentions as code."""

import json
import re
import sys

inputs = json.load(sys.stdin)["inputs"]
mentioned = set()
for page in inputs["pages"]:
    text = open(page["path"], encoding="utf-8").read()
    blocks = re.findall(r"^```.*?^```", text, flags=re.M | re.S) + re.findall(r"`([^`\n]+)`", text)
    mentioned.update(word for block in blocks for word in re.findall(r"\w+", block))
gaps = [entry for entry in inputs["api"] if entry["name"] not in mentioned]
for entry in gaps:
    print(f"{entry['module']}:{entry['line']}: {entry['name']} is on no page", file=sys.stderr)
print(json.dumps({"gaps": gaps}))
