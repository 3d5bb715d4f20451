import { describe, expect, it } from 'vitest';
import { hasPort } from './connect.ts';

const chrome = 'Mozilla/5.0 Chrome/130.0.0.0 Safari/537.36';
const electron = 'Mozilla/5.0 Chrome/130.0.0.0 Electron/33.0.0 Safari/537.36';

describe('hasPort()', () => {
  it.each([
    { protocol: 'app:', userAgent: electron, isDevelopment: false, expected: true },
    { protocol: 'http:', userAgent: electron, isDevelopment: true, expected: true },
    { protocol: 'http:', userAgent: chrome, isDevelopment: true, expected: false },
    { protocol: 'http:', userAgent: electron, isDevelopment: false, expected: false },
  ])('is $expected for $protocol in $userAgent (development: $isDevelopment)', ({ expected, ...page }) => {
    expect(hasPort(page)).toBe(expected);
  });
});
