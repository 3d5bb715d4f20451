import type { DoctorReport } from '#shared/model/doctor.ts';
import type { TrustCard } from '#shared/model/trust.ts';

/** A machine on which scripts can run. */
export function doctorReport(changes: Partial<DoctorReport['sandbox']> = {}): DoctorReport {
  const interpreter = { path: '/usr/bin/some', version: '1.0', passedOver: [] };
  return {
    platform: 'linux x64',
    sandbox: {
      ...{ backend: 'bubblewrap', version: '0.8.0', available: true, uid: 64713 },
      ...{ probes: [{ name: 'home', ok: true }], argv: ['/usr/bin/bwrap'] },
      ...{ limits: ['Memory: 512 MB'], notContained: ['CPU'] },
      ...changes,
    },
    ...{ node: interpreter, python: interpreter, bash: interpreter },
  };
}

/** A skill of the workspace that asks for full trust and has none beyond the sandbox. */
export function trustCard(changes: Partial<TrustCard> = {}): TrustCard {
  return {
    ...{ skill: 'harbor.lens:moor', name: 'moor', subject: '/harbor/harbor.lens:moor', origin: 'own' },
    ...{ declared: 'full', level: 'sandboxed', canAskFor: 'full', hash: 'h1' },
    ...{ files: [{ path: 'scripts/tie.sh', bytes: 5, text: 'true\n' }], sees: null, timeoutSeconds: 30 },
    ...changes,
  };
}
