import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Browser, Page } from '@playwright/test';

const origin = 'http://plain.invalid';
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/** A page with the editor as its makers ship it, with a text and nothing around it: what no studio on it can be quicker than. */
export async function inPlainEditor<T>(
  browser: Browser,
  text: string,
  measure: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
  try {
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: html });
      const path = join(process.cwd(), 'node_modules/monaco-editor/min', pathname);
      const contentType = types[extname(path)] ?? 'application/octet-stream';
      return route.fulfill({ contentType, body: await readFile(path) });
    });
    await page.goto(origin);
    await page.evaluate((value) => {
      const { plainEditor } = globalThis as unknown as {
        plainEditor: Promise<{ setValue(text: string): void }>;
      };
      return plainEditor.then((editor) => editor.setValue(value));
    }, text);
    return await measure(page);
  } finally {
    await page.close();
  }
}

const html = `<!doctype html>
<style>body { margin: 0 } #editor { height: 100vh }</style>
<div id="editor"></div>
<script src="/vs/loader.js"></script>
<script>
  require.config({ paths: { vs: '/vs' } });
  window.plainEditor = new Promise((resolve) => {
    require(['vs/editor/editor.main'], () => {
      const options = { language: 'yaml', minimap: { enabled: false }, automaticLayout: true };
      resolve(monaco.editor.create(document.querySelector('#editor'), options));
    });
  });
</script>`;
