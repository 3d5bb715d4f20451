"""Proposes a plan: for every function that lacks tests, the cases that its signature and its errors ask for."""

import json
import os
import sys
from pathlib import Path

inputs = json.load(sys.stdin)["inputs"]
functions = {(one["module"], one["name"]): one for one in inputs["functions"]}
lines = ["# Tests to write", ""]
cases = 0
for gap in inputs["untested"]:
    function = functions[gap["module"], gap["name"]]
    lines += [f"## {function['module']}.{function['name']}({', '.join(function['parameters'])})", ""]
    lines += [function["about"], ""] if function["about"] else []
    lines += [f"Missing: {', '.join(gap['missing'])}.", ""]
    planned = [f"the usual: {function['about'].split(';')[0].rstrip('.') or 'what it is for'}"]
    planned += [f"the limits of `{parameter}`: lowest, highest, one beyond" for parameter in function["parameters"]]
    planned += [f"`{error}`, and what its message says" for error in function["raises"]]
    lines += [f"- [ ] {case}" for case in planned] + [""]
    cases += len(planned)
lines += [f"{cases} cases for {len(inputs['untested'])} functions." if cases else "Nothing is missing.", ""]
plan = "\n".join(lines)
target = Path(os.environ["SUNWELL_FILES"]) / "tests" / "PLAN.md"
target.parent.mkdir(parents=True, exist_ok=True)
target.write_text(plan, encoding="utf-8")
print(json.dumps({"test_plan": plan, "content": plan}))
