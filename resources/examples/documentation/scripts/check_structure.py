"""Finds what makes a page hard to scan: headings out of order, code without a language, walls of text."""

import json
import re
import sys

longest_paragraph = 120

problems = []
for page in json.load(sys.stdin)["inputs"]["pages"]:
    path, headings = page["path"], page["headings"]

    def tell(rule, message):
        problems.append({"page": path, "rule": rule, "message": message})
        print(f"{path}: {message}", file=sys.stderr)

    tops = [heading for heading in headings if heading["level"] == 1]
    if len(tops) != 1:
        tell("one-title", f"has {len(tops)} titles instead of one")
    for before, after in zip(headings, headings[1:]):
        if after["level"] > before["level"] + 1:
            tell("no-skipped-level", f'"{after["text"]}" skips a level below "{before["text"]}"')
    text = open(path, encoding="utf-8").read()
    fences = re.findall(r"^```(.*)$", text, flags=re.M)
    if any(language.strip() == "" for language in fences[::2]):
        tell("code-language", "has a code block without a language")
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for paragraph in re.split(r"\n\s*\n", prose):
        words = len(paragraph.split())
        if words > longest_paragraph:
            tell("short-paragraphs", f"has a paragraph of {words} words")
print(json.dumps({"structure_problems": problems}))
