import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Severity } from '#shared/model/diagnostic.ts';

/** Severities as SARIF names them. */
export const levels: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/** A relative name stays relative, so that the log means the same on another machine. */
export function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  if (file.startsWith('fount://')) return encodeURI(file);
  return file.split(/[\\/]/).map(encodeURIComponent).join('/');
}
