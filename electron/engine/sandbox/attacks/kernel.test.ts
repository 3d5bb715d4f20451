import { kernelAttacks } from './kernel.ts';
import { runAttacks } from './run-attacks.ts';

runAttacks('network and kernel, rows 30–44', kernelAttacks);
