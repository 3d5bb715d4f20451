import { ordinaryScripts } from './ordinary.ts';
import { runAttacks } from './run-attacks.ts';

runAttacks('an honest script', ordinaryScripts);
