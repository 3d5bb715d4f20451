import { limitAttacks } from './limits.ts';
import { runAttacks } from './run-attacks.ts';

runAttacks('limits, rows 53–69', limitAttacks);
