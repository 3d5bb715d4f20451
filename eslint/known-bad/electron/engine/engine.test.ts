export { spawn } from '../testing/rig.ts';
