"""Compares functions with the tests that call them: none, none for an error, or fewer than there are ways."""

import json
import sys

inputs = json.load(sys.stdin)["inputs"]
untested = []
for function in inputs["functions"]:
    own = [test for test in inputs["tests"] if function["name"] in test["calls"]]
    seen = {error for test in own for error in test["errors"]}
    missing = [f"raises {error}" for error in function["raises"] if error not in seen]
    if not own:
        missing = ["is called by no test", *missing]
    elif len(own) < function["branches"]:
        missing.append(f"has {function['branches']} branches and {len(own)} tests")
    if missing:
        untested.append({**{key: function[key] for key in ("module", "path", "name", "line")}, "missing": missing})
        print(f"{function['path']}:{function['line']}: {function['name']} {', '.join(missing)}", file=sys.stderr)
print(json.dumps({"untested": untested}))
