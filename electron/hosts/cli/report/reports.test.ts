import { expect, test } from 'vitest';
import { summary } from '../run/run-summary.ts';
import { exampleRun } from '../testing/example-run.ts';
import { toJunit } from './to-junit.ts';
import { toMarkdown } from './to-markdown.ts';

test('toMarkdown() tells how each skill ended, and nothing in it becomes markup', () => {
  expect(toMarkdown([exampleRun])).toBe(`# A \\| \\*b\\*: failed

5 skills in 2.4 s, 1 ran, 1 from the cache, saving 300 ms. Run \`20261116-051200-abcdef\`.

| Skill | State | Time | Why |
| --- | --- | ---: | --- |
| read | ran | 1.2 s | script read.py changed (2 lines) |
| list | cached | 0 ms |  |
| check | failed | 90 ms |  |
| write | judged-failed | 10 ms |  |
| report | blocked | 0 ms | blocked by check |

## Failures

- **check**: Script "check.sh" of "check" ended with exit code 9

  \`\`\`\`text
  no <luck>
  \`\`\`
  \`\`\`\`

  - Scripts cannot change \\*it\\*

## Verdicts

- **write** did not pass: "no-todo" says no: contains "TODO"; confidence is 0.33, and 0.70 is wanted
- write · no-todo: fail 1.00, contains "TODO"
  - docs/a.md:3 "a \\*TODO\\*"
- write · clear: pass by a person, was fail 0.80, rambles
  - their note: It is \\| a poem
- write · novice: not judged, Needs a model to judge
  - asks: Where do I start?
- write · 2 attempts, attempt 1 is kept: no attempts are left

## Models

- write · large: 72 tokens in 3 calls, $0.1000
- write · judged by small: 30 tokens in 2 calls

## Proposed files

- write \`docs/a'b.md\` (4.1 KB) by read

## Warnings

- The cache cannot be written
`);
});

test('toJunit() counts a crash as an error, a bad verdict as a failure and a blocked skill as skipped', async () => {
  const xml = await toJunit([exampleRun]);
  expect(xml.replace(/hostname="[^"]*"/, '')).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="5" failures="1" errors="1" skipped="1">
      <testsuite name="A | *b*" time="2.4" timestamp="2026-11-16T05:12:00" tests="5" failures="1" errors="1" skipped="1">
        <testcase classname="a.lens" name="read" time="1.2"/>
        <testcase classname="a.lens" name="list" time="0">
          <properties>
            <property name="cached" value="true"/>
          </properties>
        </testcase>
        <testcase classname="a.lens" name="check" time="0.09">
          <error message="Script &quot;check.sh&quot; of &quot;check&quot; ended with exit code 9" type="execute"><![CDATA[no <luck>
    \`\`\`
    Scripts cannot change *it*]]></error>
        </testcase>
        <testcase classname="a.lens" name="write" time="0.01">
          <properties>
            <property name="judgment" value="did not pass: &quot;no-todo&quot; says no: contains &quot;TODO&quot;; confidence is 0.33, and 0.70 is wanted"/>
          </properties>
          <failure message="no-todo: contains &quot;TODO&quot;" type="verdict"/>
          <system-out><![CDATA[write did not pass: "no-todo" says no: contains "TODO"; confidence is 0.33, and 0.70 is wanted
      no-todo: fail 1.00: contains "TODO"
        docs/a.md:3 "a *TODO*"
      clear: pass by a person, was fail 0.80: rambles
        their note: It is | a poem
      novice: not judged: Needs a model to judge
        asks: Where do I start?
      2 attempts, attempt 1 is kept: no attempts are left]]></system-out>
        </testcase>
        <testcase classname="a.lens" name="report" time="0">
          <skipped/>
        </testcase>
      </testsuite>
    </testsuites>"
  `);
});

test('toJunit() counts a skill that could not run as an error with its reason, and only what waits for another as skipped', async () => {
  const said = { phase: 'parse', message: 'it needs "city"', recoverable: false } as const;
  const steps = exampleRun.steps.map((step) =>
    step.state === 'failed'
      ? { ...step, state: 'blocked' as const, error: { ...said, skillName: step.skill } }
      : step,
  );
  const xml = await toJunit([{ ...exampleRun, steps }]);
  expect(xml).toContain('errors="1" skipped="1"');
  expect(xml).toContain('<error message="it needs &quot;city&quot;" type="parse"/>');
});

test('toJunit() gives the word of a person in place of the judge’s', async () => {
  const override = { outcome: 'fail', note: 'Too long', at: 1 } as const;
  const steps = exampleRun.steps.map((step) => ({
    ...step,
    verdicts: step.verdicts.map((verdict) => ({ ...verdict, override })),
  }));
  expect(await toJunit([{ ...exampleRun, steps }])).toContain(
    '<failure message="no-todo: a person says no: Too long&#xA;clear: a person says no: Too long',
  );
});

test('summary() counts what a run that goes on has yet to do', () => {
  const states = ['ran', 'running', 'pending', 'pending'] as const;
  const steps = states.map((state, i) => ({ ...exampleRun.steps[i]!, state, savedMs: 0, attempts: 0 }));
  expect(summary({ ...exampleRun, status: 'running', steps })).toContain(
    'Running: 1 ran, 1 running, 2 pending',
  );
});

test('summary() tells what judging cost apart from the work', () => {
  expect(summary(exampleRun)).toBe(
    'Failed: 1 ran, 1 cached, 1 failed, 1 judged-failed, 1 blocked, saved 300 ms, ' +
      '72 tokens ($0.1000), 30 tokens to judge, took 2.4 s. Run 20261116-051200-abcdef',
  );
});
