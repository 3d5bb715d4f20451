"""Counts the ways through every function, and tells those with too many."""

import ast
import json
import sys

most = 10
branches = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.comprehension, ast.Assert)

tangled = []
for source in json.load(sys.stdin)["inputs"]["sources"]:
    tree = ast.parse(open(source["path"], encoding="utf-8").read(), filename=source["path"])
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        inside = [child for statement in node.body for child in ast.walk(statement)]
        ways = 1 + sum(isinstance(child, branches) for child in inside)
        ways += sum(len(child.values) - 1 for child in inside if isinstance(child, ast.BoolOp))
        if ways > most:
            tangled.append({"path": source["path"], "line": node.lineno, "function": node.name, "ways": ways})
            print(f"{source['path']}:{node.lineno}: {node.name} has {ways} ways", file=sys.stderr)
print(json.dumps({"tangled": tangled}))
