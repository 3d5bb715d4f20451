"""Puts all findings together, the worst first; where a diff is given, only those on lines that it adds."""

import json
import sys

inputs = json.load(sys.stdin)["inputs"]
lines_of = {source["path"]: source["lines"] for source in inputs["sources"]}
order = ["error", "warning", "info"]


def finding(one, severity, rule, message):
    return {"path": one["path"], "line": one["line"], "severity": severity, "rule": rule, "message": message}


everything = [
    *(finding(one, "error", "secret", f"holds a {one['what']}: take it out and change it") for one in inputs["secrets"]),
    *(finding(one, one["severity"], one["rule"], one["message"]) for one in inputs["pitfalls"]),
    *(
        finding(one, "warning", "complexity", f"{one['function']}() has {one['ways']} ways through it")
        for one in inputs["tangled"]
    ),
    *(finding(one, "info", "loose-end", f"\"{one['text']}\" names nobody and no issue") for one in inputs["loose_ends"]),
]
findings = [one for one in everything if lines_of[one["path"]] is None or one["line"] in lines_of[one["path"]]]
findings.sort(key=lambda one: (order.index(one["severity"]), one["path"], one["line"]))
count = {severity: sum(one["severity"] == severity for one in findings) for severity in order}
report = "\n".join(
    [
        "# Findings",
        "",
        ", ".join(f"{number} {severity}" for severity, number in count.items() if number) or "Nothing found.",
        "",
        *(f"- **{one['severity']}** {one['path']}:{one['line']} `{one['rule']}` {one['message']}" for one in findings),
        "",
    ]
)
print(json.dumps({"findings": findings, "content": report}))
