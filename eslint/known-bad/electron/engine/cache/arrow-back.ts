export type Owner = import('../run/run.ts').Run;
