export { spawn } from 'node:child_process';
export const later = import('child_process');
