import { join } from 'node:path';

export const appRoot = join(import.meta.dirname, '..');

export const isRoot = process.getuid?.() === 0;
