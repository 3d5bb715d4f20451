import { app } from 'electron';
import { startAll } from '#engine/engine.ts';

export const start = async (): Promise<void> => {
  await app.whenReady();
  await startAll([]);
};
