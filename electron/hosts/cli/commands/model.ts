import { defaultHome } from '#engine/home.ts';
import { Models } from '#engine/models/models.ts';
import type { Sandbox } from '#engine/sandbox/sandbox.ts';
import type { KeyState } from '#shared/model/models.ts';
import { workspaceFolder } from '../workspace-folder.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { openSandbox } from '../open-sandbox.ts';
import { printTable } from '../table.ts';
import { inert } from '../terminal.ts';

const keyWords: Readonly<Record<KeyState, string>> = {
  keychain: 'keychain',
  environment: 'environment',
  missing: 'missing',
  'not-needed': '-',
};

/** Prints the user's models; never a key. */
export async function modelList(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const list = await openModels(invocation).list();
  if (output.isJson) {
    output.document(list);
    return ExitCode.ok;
  }
  const { models, defaultModel, judgeModel, problems } = list;
  for (const problem of problems) output.note(inert(problem));
  if (models.length === 0) output.note('No models: scripts run without one. "sunwell config set" adds one');
  else {
    const rows = models.map(({ name, provider, model, key, problem }) => [
      name,
      provider,
      model ?? '-',
      keyWords[key],
      [name === defaultModel ? 'default' : '', name === judgeModel ? 'judge' : '', problem ?? '']
        .filter((note) => note !== '')
        .join(', '),
    ]);
    printTable(output, ['NAME', 'PROVIDER', 'MODEL', 'KEY', 'NOTES'], rows);
  }
  return ExitCode.ok;
}

/** Asks a model one small question; fails where it does not answer. */
export async function modelTest(invocation: Invocation, name: string | undefined): Promise<ExitCode> {
  const { output, terminal } = invocation;
  let sandbox: Sandbox | undefined;
  // Only an agent needs one.
  const models = openModels(
    invocation,
    () => (sandbox ??= openSandbox(invocation, workspaceFolder(invocation))),
  );
  const test = await models.test(name, terminal.interrupted).finally(() => sandbox?.[Symbol.dispose]());
  if (output.isJson) output.document(test);
  else output.line(inert(test.message));
  if (test.outcome === 'cancelled') return ExitCode.cancelled;
  return test.outcome === 'answered' || test.outcome === 'nothing-to-connect' ? ExitCode.ok : ExitCode.failed;
}

function openModels({ terminal }: Invocation, sandbox?: () => Sandbox): Models {
  const { environment } = terminal.machine;
  return new Models({ home: defaultHome(environment), environment, sandbox });
}
