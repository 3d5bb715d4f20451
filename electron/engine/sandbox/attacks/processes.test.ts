import { processAttacks } from './processes.ts';
import { runAttacks } from './run-attacks.ts';

runAttacks('processes, rows 20–29 and 45–51', processAttacks);
