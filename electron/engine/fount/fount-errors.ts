import { StudioError } from '#shared/errors.ts';
import type { Log } from '../store/log.ts';
import type { NpmConfig } from './npm-config.ts';

/** What was asked of a source, for the sentence the user reads. */
export interface FetchContext {
  readonly request: string;
  /** The registry, repository or folder, as the user wrote it. */
  readonly place: string;
  readonly npmConfig: NpmConfig;
  readonly log: Log;
}

const notReached =
  /^(E(CONN|NET|HOST|TIMEDOUT|NOTFOUND|AI_AGAIN|PIPE|SOCKET)|ERR_SOCKET|FETCH_ERROR|E(429|5\d\d)$)/;
const broken = /^(EINTEGRITY|Z_|TAR_)/;

/** Turns what pacote, npm's fetch or git throws into an error with a way out, and no secrets in it. */
export function toStudioError(error: unknown, context: FetchContext): StudioError {
  if (error instanceof StudioError) return error;
  const { request } = context;
  const place = withoutSecrets(context.place, context.npmConfig);
  const code = String((error as { code?: unknown }).code ?? '');
  const details = { request, place };
  const refuse = (as: StudioError['code'], sentence: string) => new StudioError(as, sentence, details);

  if (code === 'E404' || code === 'ENOENT') {
    return refuse('fount.not-found', `Cannot find "${request}" at "${place}": check the name and the source`);
  }
  if (code === 'E401' || code === 'E403' || code === 'EOTP' || code === 'EAUTHIP') {
    return refuse(
      'fount.unauthorized',
      `Cannot read "${request}": "${place}" refuses your credentials (${code.slice(1)}); log in with npm or check .npmrc`,
    );
  }
  if (broken.test(code)) {
    return refuse(
      'fount.damaged',
      `Cannot use "${request}": its bytes are not the ones "${place}" promises (${code})`,
    );
  }
  if (/^(EACCES|EPERM|EROFS|ENOSPC|EDQUOT)$/.test(code)) {
    return refuse('file.unwritable', `Cannot store "${request}" (${code}): check permissions and free space`);
  }
  if (code === 'ENOGIT') {
    return refuse('fount.unreachable', `Cannot fetch "${request}": git is not installed`);
  }
  if (notReached.test(code)) {
    return refuse(
      'fount.unreachable',
      `Cannot reach "${place}" for "${request}" (${code}): check the network`,
    );
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const reference = context.log.report(withoutSecrets(text, context.npmConfig));
  return refuse(
    'fount.unreachable',
    `Cannot fetch "${request}" from "${place}"${code && ` (${code})`}: see "${reference}" in the log`,
  );
}

/** Takes credentials out of a text: those in addresses, and every secret of the npm configuration. */
export function withoutSecrets(text: string, npmConfig: NpmConfig): string {
  let clean = text.replace(/(:\/\/)[^/@\s]+@/g, '$1');
  for (const [key, value] of Object.entries(npmConfig)) {
    if (/:_(authToken|auth|password)$/.test(key) && value !== '') clean = clean.replaceAll(value, '[secret]');
  }
  return clean;
}

/** Whether a package is refused because its content on this machine is not what `sunwell.lock` pins. */
export function hasDrifted({ code }: StudioError): boolean {
  return code === 'fount.tampered' || code === 'fount.unsafe';
}
