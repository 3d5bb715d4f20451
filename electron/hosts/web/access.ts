import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const codeLifetimeMs = 60 * 60 * 1000;

export interface AccessOptions {
  readonly now: () => number;
}

/** Who may use a web host: the browser that brought the one-time code, from then on by its cookie. */
export class Access {
  /** What the printed address carries. */
  readonly code = randomBytes(24).toString('base64url');
  readonly #secret = randomBytes(32).toString('base64url');
  readonly #now: () => number;
  readonly #expiresAt: number;
  #isCodeUsed = false;

  constructor({ now }: AccessOptions = { now: Date.now }) {
    this.#now = now;
    this.#expiresAt = now() + codeLifetimeMs;
  }

  /** Spends the code and returns the cookie it buys; undefined for a wrong, used or expired one. */
  exchange(code: string, port: number): string | undefined {
    if (this.#isCodeUsed || this.#now() >= this.#expiresAt || !isSame(code, this.code)) return undefined;
    this.#isCodeUsed = true;
    return `${cookieName(port)}=${this.#secret}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Whether a `Cookie` header carries the secret of this host. */
  admits(cookies: string | undefined, port: number): boolean {
    const start = `${cookieName(port)}=`;
    const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
    return pairs.some((pair) => pair.startsWith(start) && isSame(pair.slice(start.length), this.#secret));
  }
}

/** Cookies are shared between the ports of one machine: the name keeps two hosts apart. */
function cookieName(port: number): string {
  return `sunwell-${port}`;
}

/** Compares digests, so that neither length nor content shows in the time it takes. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
