"""Runs the tests of the workspace, and fails where one of them does: a red test is no result."""

import io
import json
import sys
import unittest

sys.dont_write_bytecode = True
sys.path[:0] = ["src", "tests"]
# What the tests print must not get between the lines of the result.
out, sys.stdout = sys.stdout, sys.stderr
suite = unittest.defaultTestLoader.discover("tests", pattern="test_*.py")
report = io.StringIO()
result = unittest.TextTestRunner(stream=report, verbosity=2).run(suite)
sys.stdout = out
print(report.getvalue(), file=sys.stderr)
failed = [str(test) for test, _ in [*result.failures, *result.errors]]
summary = {"run": result.testsRun, "failed": failed, "skipped": len(result.skipped)}
if failed:
    print(f"{len(failed)} of {result.testsRun} tests failed: {', '.join(failed)}", file=sys.stderr)
    sys.exit(1)
if result.testsRun == 0:
    print("There is no test to run", file=sys.stderr)
    sys.exit(1)
print(json.dumps({"test_results": summary}))
