// Makes a home as the engine does and keeps it until told to exit, or until killed.
import { runnerImport } from 'vite';

const root = new URL('../../../../', import.meta.url).pathname;
const { module } = await runnerImport(new URL('../agent-home.ts', import.meta.url).pathname, {
  configFile: false,
  root,
  logLevel: 'error',
});
await module.AgentHome.make({ agent: 'claude', environment: {}, parent: process.argv[2] });
process.on('message', () => process.exit(0));
process.send('ready');
