"""Finds links between Markdown pages that lead to no file or no heading. Links to other hosts are not followed."""

import json
import posixpath
import re
import sys
from pathlib import Path
from urllib.parse import unquote

INLINE = re.compile(r"\]\(\s*(<[^>]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]^][^\]]*\]:\s*(<[^>]*>|\S+)")
HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$")
ANCHOR = re.compile(r"""<[^>]*\b(?:id|name)=["']([^"']+)["']""")
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
SCHEME = re.compile(r"^([a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def prose(page):
    """The lines outside code blocks, numbered, without what is in backticks."""
    fence = None
    for number, line in enumerate(Path(page).read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        mark = FENCE.match(line)
        if mark and fence is None:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = None
        elif fence is None:
            yield number, line


def without_code(line):
    return re.sub(r"(`+).*?\1", "", line)


def anchors(page):
    """The fragments that a page offers: its headings as code hosts spell them, and explicit anchors."""
    found = set()
    seen = {}
    for _, line in prose(page):
        found.update(ANCHOR.findall(line))
        heading = HEADING.match(line)
        if heading is None:
            continue
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(slug if count == 0 else f"{slug}-{count}")
    return found


inputs = json.load(sys.stdin)["inputs"]
files = set(inputs["file_list"])
folders = {folder.as_posix() for path in files for folder in Path(path).parents}
pages = [path for path in inputs["file_list"] if path.endswith((".md", ".markdown"))]
known = {page: anchors(page) for page in pages}

dead = []
for page in pages:
    for number, line in prose(page):
        line = without_code(line)
        targets = INLINE.findall(line) + DEFINITION.findall(line)
        for target in (unquote(text.strip("<>")) for text in targets):
            if target == "" or SCHEME.match(target):
                continue
            path, _, fragment = target.partition("#")
            path = path.partition("?")[0]
            base = "" if path.startswith("/") else posixpath.dirname(page)
            goal = posixpath.normpath(posixpath.join(base, path.lstrip("/"))) if path else page
            if goal not in files and goal not in folders:
                dead.append({"page": page, "line": number, "target": target, "problem": "no such file"})
            elif fragment and goal in known and fragment.lower() not in known[goal] and fragment not in known[goal]:
                dead.append({"page": page, "line": number, "target": target, "problem": "no such heading"})
for entry in dead:
    print(f"{entry['page']}:{entry['line']}: {entry['problem']}: {entry['target']}", file=sys.stderr)
print(json.dumps({"dead_links": dead}))
