"""Finds keys and passwords in the sources. What it finds is told by its place, never by its value."""

import json
import math
import re
import sys

known = {
    "private key": r"-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----",
    "AWS key": r"\bAKIA[0-9A-Z]{16}\b",
    "live key of a service": r"\b(?:sk|pk|rk)_live_[0-9A-Za-z]{16,}",
    "token of GitHub": r"\bgh[pousr]_[0-9A-Za-z]{30,}",
}
assigned = re.compile(r"(?i)\b\w*(?:secret|token|passw(?:or)?d|api_?key)\w*\s*[:=]\s*[\"']([^\"']{12,})[\"']")


def entropy(text):
    return -sum(text.count(c) / len(text) * math.log2(text.count(c) / len(text)) for c in set(text))


secrets = []
for source in json.load(sys.stdin)["inputs"]["sources"]:
    for number, line in enumerate(open(source["path"], encoding="utf-8"), 1):
        what = next((name for name, pattern in known.items() if re.search(pattern, line)), None)
        guess = assigned.search(line)
        # A placeholder has few different characters; a key has many.
        if what is None and guess and entropy(guess.group(1)) > 3.5:
            what = "value that looks like a key"
        if what is not None:
            secrets.append({"path": source["path"], "line": number, "what": what})
            print(f"{source['path']}:{number}: {what}", file=sys.stderr)
print(json.dumps({"secrets": secrets}))
