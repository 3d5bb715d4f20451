"""Finds TODO, FIXME and XXX that name neither a person nor an issue."""

import json
import re
import sys
import tokenize

loose = []
for source in json.load(sys.stdin)["inputs"]["sources"]:
    with open(source["path"], "rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type != tokenize.COMMENT:
                continue
            marked = re.search(r"\b(TODO|FIXME|XXX)\b(\(\w[^)]*\))?(.*)", token.string)
            if marked and not marked.group(2) and not re.search(r"#\d+", marked.group(3)):
                loose.append({"path": source["path"], "line": token.start[0], "text": token.string.lstrip("# ")})
print(json.dumps({"loose_ends": loose}))
