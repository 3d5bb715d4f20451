export type { Run } from '#engine/run/run.ts';
