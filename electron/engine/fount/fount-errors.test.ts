import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { Log } from '../store/log.ts';
import { toStudioError } from './fount-errors.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

test('toStudioError() keeps tokens and passwords out of the message, the details and the log', async () => {
  const folder = await world.makeFolder();
  const npmConfig = { '//127.0.0.1/:_authToken': 'npm_Token', '//127.0.0.1/:_password': 'cGFzcw==' };
  const error = toStudioError(new Error('Odd answer of https://ada:pw@127.0.0.1/x: npm_Token cGFzcw=='), {
    request: 'fount://x@^1',
    place: 'https://ada:pw@127.0.0.1/',
    npmConfig,
    log: new Log(folder),
  });
  const written = await world.readFile(folder, 'studio.log');
  const all = JSON.stringify([error.message, error.details, written]);
  expect({ code: error.code, leaks: /npm_Token|cGFzcw|ada|pw/.exec(all)?.[0] }).toEqual({
    code: 'fount.unreachable',
    leaks: undefined,
  });
  expect(written).toContain('Odd answer of https://127.0.0.1/x: [secret] [secret]');
  expect(error.message).toMatch(
    /^Cannot fetch "fount:\/\/x@\^1" from "https:\/\/127\.0\.0\.1\/": see "[0-9a-f]{8}"/,
  );
  expect(join(folder, 'studio.log')).toBe(new Log(folder).file);
});
