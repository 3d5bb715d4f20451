import { fileAttacks } from './files.ts';
import { runAttacks } from './run-attacks.ts';

runAttacks('files, rows 1–19 and 101', fileAttacks);
