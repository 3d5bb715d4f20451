import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeServer } from '#engine/models/testing/fake-server.ts';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import type { RunRecord } from '#shared/model/run.ts';
import { CliRig } from '../testing/cli-rig.ts';

const isAvailable = await canRunScripts();
const lens = `
metadata: { name: A, version: 1.0.0 }
heuristics: [{ name: Short, rule: Say it once }]
validators:
  deterministic: [{ name: no-todo, not_contains: TODO, severity: error }]
workflows:
  - name: tell
    steps:
      - parallel: [{ skill: count }, { name: Look around, action: Look around }]
      - { name: Count, action: Say how many there are, quality_gates: [no-todo] }
skills:
  - name: count
    description: Count things
    produces: [things]
    files: []
    scripts: [{ name: count.sh, content: "echo '{\\"things\\": 3}'" }]
`;

describe.skipIf(!isAvailable)('sunwell workflow', () => {
  let rig: CliRig;
  let server: FakeServer;
  beforeEach(async () => {
    server = await FakeServer.start();
    rig = await CliRig.make({ 'work/a.lens': lens });
  });
  afterEach(async () => {
    await rig[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test('lets a model do an action with the lens and with what the steps before delivered', async () => {
    const model = `{provider: openai-compatible, model: m, base_url: "${server.address}"}`;
    await rig.write({ 'home/config.yaml': `models: {fake: ${model}}\ndefault_model: fake\n` });
    server.answerWith({ say: 'Nothing here' }, { say: 'TODO' }, { say: 'Three' });
    const { exitCode, stdout } = await rig.run(['workflow', 'a.lens', 'tell', '--json']);
    const { runs } = JSON.parse(stdout) as { runs: RunRecord[] };
    expect([exitCode, runs.map(({ steps }) => steps.map(({ skill, content }) => [skill, content]))]).toEqual([
      0,
      [[['count', '{"things": 3}\n']], [['look-around', 'Nothing here']], [['count-action', 'Three']]],
    ]);
    expect(runs[2]!.steps[0]!.verdicts).toMatchObject([{ judge: 'no-todo', outcome: 'pass' }]);
    const sent = JSON.stringify(server.received[1]!.body);
    for (const text of ['Say it once', 'Say how many there are', 'key=\\"things\\"', 'Nothing here']) {
      expect(sent.replaceAll('\\\\', '\\')).toContain(text);
    }
  });

  test('runs nothing where an action has no model', async () => {
    const { exitCode, stderr } = await rig.run(['workflow', 'a.lens', 'tell']);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/^Cannot run workflow step "Look around": needs a model: /) as string,
    ]);
    expect((await rig.run(['run', 'list', '--json'])).stdout).toBe('[]\n');
  });
});
