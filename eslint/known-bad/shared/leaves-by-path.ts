export const run = import('../electron/engine/run/run.ts');
