// Finds TODO, FIXME, HACK and XXX notes, with the name in "TODO(name)" if there is one.
import { readFileSync } from 'node:fs';

const note = /\b(TODO|FIXME|HACK|XXX)\b(?:\(([^)]*)\))?:?[ \t]*(.*)/;
const { inputs } = JSON.parse(readFileSync(0, 'utf8'));
const todos = [];
for (const path of inputs.file_list) {
  const bytes = readFileSync(path);
  if (bytes.includes(0)) continue;
  for (const [at, line] of bytes.toString('utf8').split(/\r?\n/).entries()) {
    const match = note.exec(line);
    if (!match) continue;
    const text = match[3].replace(/\s*(\*\/|-->)\s*$/, '').trim();
    todos.push({ path, line: at + 1, kind: match[1], owner: match[2] || null, text });
  }
}
console.log(JSON.stringify({ todos }));
