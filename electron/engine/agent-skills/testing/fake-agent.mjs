#!/usr/bin/env node
// Stands in for claude, codex and opencode: looks where they look and prints what it sees.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

const agent = basename(process.argv[1]).replace(/\.mjs$/, '');
const { HOME, CODEX_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME } = process.env;
const places = {
  claude: [join(HOME, '.claude/skills')],
  codex: [join(HOME, '.agents/skills'), join(CODEX_HOME, 'skills')],
  opencode: [
    join(HOME, '.claude/skills'),
    join(HOME, '.agents/skills'),
    join(XDG_CONFIG_HOME, 'opencode/skills'),
  ],
};
const logins = {
  claude: join(HOME, '.claude/.credentials.json'),
  codex: join(CODEX_HOME, 'auth.json'),
  opencode: join(XDG_DATA_HOME, 'opencode/auth.json'),
};

const list = (folder) => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};
const all = readdirSync(HOME, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(HOME.length + 1))
  .sort();
let login = null;
try {
  login = readFileSync(logins[agent], 'utf8');
} catch {
  // Not logged in.
}
writeFileSync(join(process.env.TMPDIR, 'agent-was-here'), '');
process.stdout.write(
  JSON.stringify({
    agent,
    skills: places[agent].flatMap(list),
    login,
    files: all,
    home: homedir(),
    homeMode: (statSync(HOME).mode & 0o777).toString(8),
    environment: process.env,
  }),
);
process.exitCode = process.argv.includes('--fail') ? 1 : 0;
