import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from './redact.ts';

const letters = 'Zx9'.repeat(16);

describe('redact()', () => {
  test.each([
    `sk-ant-api03-${letters}`,
    `sk-proj-${letters}`,
    `sk_live_${letters}`,
    `ghp_${letters.slice(0, 36)}`,
    `github_pat_${letters}`,
    `glpat-${letters.slice(0, 20)}`,
    `npm_${letters.slice(0, 36)}`,
    `xoxb-1234567890-${letters.slice(0, 24)}`,
    `AKIA${'A1B2'.repeat(4)}`,
    `AIza${letters.slice(0, 35)}`,
    `eyJhbGciOiJIUzI1NiJ9.${letters}.${letters}`,
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${letters}\n-----END OPENSSH PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\\n${letters}`,
  ])('takes out %s, wherever it stands', (secret) => {
    expect(redact(`before ${secret} after`)).not.toContain(letters.slice(0, 12));
    expect(redact(JSON.stringify({ a: [secret] }))).not.toContain('A1B2A1B2');
  });

  test.each([
    ['password = hunter2hunter2', 'password = [redacted]'],
    ['"api_key": "abcdef123456"', '"api_key": "[redacted]"'],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [redacted]'],
    ['DB_PASSWORD=correcthorse', 'DB_PASSWORD=[redacted]'],
    ['https://ann:letmein@example.org/x', 'https://ann:[redacted]@example.org/x'],
  ])('%s becomes %s', (text, safe) => {
    expect(redact(text)).toBe(safe);
  });

  test('takes out values of variables that are called secrets, and no others', () => {
    const environment = { MY_TOKEN: 'correct horse battery', OTHER: 'plain words here', APP_KEY: 'short' };
    expect(redact('correct horse battery, plain words here, short', environment)).toBe(
      '[redacted], plain words here, short',
    );
  });

  test('leaves ordinary text as it is', () => {
    for (const text of [
      'The keys of the harbor: see docs/secrets.md',
      'sha256 0f3c9a',
      'a desk-lamp',
      'http://a:80/b',
    ])
      expect(redact(text)).toBe(text);
  });

  test.each(['a', 'a.', 'sk-', 'eyJ', '://a:', 'password', '-----BEGIN PRIVATE KEY-----', 'bearer '])(
    'a megabyte of %j takes no longer than reading it a few times',
    (part) => {
      const text = part.repeat(1_000_000 / part.length);
      expect(redact(text).length).toBeLessThanOrEqual(text.length * 2);
    },
  );

  test('a second time changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = redact(text);
        expect(redact(once)).toBe(once);
      }),
    );
  });
});
