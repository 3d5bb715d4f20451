import type { DoctorReport } from '#shared/model/doctor.ts';
import type { InterpreterReport, SandboxDoctorReport } from './report.ts';

/** The report as it travels: what is not there is null, so that JSON says so too. */
export function doctorDocument({ platform, sandbox, node, python, bash }: SandboxDoctorReport): DoctorReport {
  return {
    platform,
    sandbox: {
      ...sandbox,
      version: sandbox.version ?? null,
      probes: sandbox.probes.map((probe) => ({ ...probe })),
      argv: [...sandbox.argv],
      limits: [...sandbox.limits],
      notContained: [...sandbox.notContained],
    },
    node: interpreter(node),
    python: interpreter(python),
    bash: interpreter(bash),
  };
}

function interpreter({ path, version, passedOver }: InterpreterReport): DoctorReport['node'] {
  return {
    path: path ?? null,
    version: version ?? null,
    passedOver: passedOver.map((each) => ({ ...each })),
  };
}
