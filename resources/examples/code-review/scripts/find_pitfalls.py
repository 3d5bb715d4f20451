"""Finds mistakes that Python allows: by the syntax tree, so that comments and texts cannot deceive it."""

import ast
import json
import sys


def is_built(node):
    """Whether a text is put together from values."""
    if isinstance(node, ast.JoinedStr):
        return any(isinstance(part, ast.FormattedValue) for part in node.values)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Add, ast.Mod))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"


def problems_of(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
            if isinstance(default, (ast.List, ast.Dict, ast.Set)):
                yield "mutable-default", "warning", f"{node.name}() keeps its default between calls"
    elif isinstance(node, ast.ExceptHandler) and node.type is None:
        yield "bare-except", "warning", "catches everything, also Ctrl+C"
    elif isinstance(node, ast.Compare):
        for operator, right in zip(node.ops, node.comparators):
            if isinstance(operator, (ast.Eq, ast.NotEq)) and isinstance(right, ast.Constant) and right.value is None:
                yield "none-comparison", "info", 'compares with None by "==" instead of "is"'
    elif isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("execute", "executemany", "executescript") and node.args and is_built(node.args[0]):
            yield "sql-injection", "error", "puts values into SQL: pass them as parameters"
        if name in ("eval", "exec") and isinstance(node.func, ast.Name):
            yield "eval", "error", f"{name}() runs whatever it is given"
        if any(one.arg == "shell" and getattr(one.value, "value", False) is True for one in node.keywords):
            yield "shell", "error", "hands its words to a shell"


pitfalls = []
for source in json.load(sys.stdin)["inputs"]["sources"]:
    tree = ast.parse(open(source["path"], encoding="utf-8").read(), filename=source["path"])
    for node in ast.walk(tree):
        for rule, severity, message in problems_of(node):
            place = {"path": source["path"], "line": node.lineno}
            pitfalls.append({**place, "rule": rule, "severity": severity, "message": message})
pitfalls.sort(key=lambda one: (one["path"], one["line"], one["rule"]))
for one in pitfalls:
    print(f"{one['path']}:{one['line']}: {one['rule']}", file=sys.stderr)
print(json.dumps({"pitfalls": pitfalls}))
