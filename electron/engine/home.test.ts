import type * as realOs from 'node:os';
import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { defaultHome } from './home.ts';

/** What HOME says, and the folder of the user's account. */
const user = vi.hoisted((): { home: string; account: string | undefined } => ({ home: '', account: '' }));

vi.mock('node:os', async (importOriginal) => ({
  ...(await importOriginal<typeof realOs>()),
  homedir: () => user.home,
  userInfo: () => {
    if (user.account === undefined) throw new Error('ENOENT: no account');
    return { homedir: user.account };
  },
}));
afterEach(() => Object.assign(user, { home: '', account: '' }));

test.each([
  ['what SUNWELL_HOME names', { SUNWELL_HOME: 'mine' }, '', '', resolve('mine')],
  ['the home of the user', {}, '/home/a', '/home/b', '/home/a/.sunwell'],
  ['that of the account where HOME is empty', {}, '', '/home/b', '/home/b/.sunwell'],
  ['that of the account where HOME is relative', { SUNWELL_HOME: '' }, 'a', '/home/b', '/home/b/.sunwell'],
])('defaultHome() is %s', (_case, environment, home, account, folder) => {
  Object.assign(user, { home, account });
  expect(defaultHome(environment)).toBe(folder);
});

test.each([[''], [undefined]])('defaultHome() is never in the workspace (account %j)', (account) => {
  user.account = account;
  expect(() => defaultHome({})).toThrow(
    'Cannot use "", which HOME names: it is no absolute path; correct it, or name a folder with SUNWELL_HOME',
  );
});
