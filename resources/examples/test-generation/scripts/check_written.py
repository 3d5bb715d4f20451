"""Runs the tests after a model wrote some; what it says stays as it is, unless a test fails."""

import io
import sys
import unittest

sys.dont_write_bytecode = True
sys.path[:0] = ["src", "tests"]
suite = unittest.defaultTestLoader.discover("tests", pattern="test_*.py")
report = io.StringIO()
result = unittest.TextTestRunner(stream=report).run(suite)
if result.failures or result.errors or result.testsRun == 0:
    print(report.getvalue(), file=sys.stderr)
    sys.exit(1)
print(f"{result.testsRun} tests passed", file=sys.stderr)
