import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { appRoot, isRoot } from './places.ts';

export interface WebStart {
  readonly home: string;
  /** Without one the sample is opened. */
  readonly workspace: string | undefined;
}

export interface RunningWeb extends AsyncDisposable {
  readonly page: Page;
  readonly server: WebServer;
}

export interface WebServer extends AsyncDisposable {
  /** With the one-time code, so it opens one page only. */
  readonly address: string;
  readonly process: ChildProcessWithoutNullStreams;
}

const quietBrowser = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

let browser: Promise<Browser> | undefined;

/** One for all tests of a worker, as starting it takes as long as many a test; every page has cookies and storage of its own. */
function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: process.env['SUNWELL_CHROMIUM'] || '/usr/bin/chromium',
    args: [...quietBrowser, ...(isRoot ? ['--no-sandbox'] : [])],
  });
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
}

/** Starts the web host as a user would and waits for the line with its address. */
export async function startWebServer({ home, workspace }: WebStart): Promise<WebServer> {
  const cli = join(appRoot, 'dist', 'cli.cjs');
  const words = ['studio', workspace ?? '--sample', '--web', '--no-open', '--port', '0'];
  const server = spawn(process.execPath, [cli, ...words], {
    env: { ...process.env, SUNWELL_HOME: home },
  });
  const exited = once(server, 'exit');
  return {
    address: await addressOf(server),
    process: server,
    async [Symbol.asyncDispose]() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGTERM');
      await exited;
    },
  };
}

export async function startWeb(start: WebStart): Promise<RunningWeb> {
  const server = await startWebServer(start);
  const context = await (await theBrowser()).newContext({ viewport: { width: 1360, height: 860 } });
  const page = await context.newPage();
  await page.goto(server.address);
  return {
    page,
    server,
    async [Symbol.asyncDispose]() {
      await context.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function addressOf(server: ChildProcessWithoutNullStreams): Promise<string> {
  const said: string[] = [];
  server.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  for await (const line of createInterface(server.stdout)) {
    const address = /http:\/\/127\.0\.0\.1:\d+\/\?code=\S+/.exec(line)?.[0];
    if (address) return address;
    said.push(line);
  }
  throw new Error(`The web host ended before it printed its address:\n${said.join('\n')}`);
}
