// Counts files by top folder and by extension.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

const { inputs } = JSON.parse(readFileSync(0, 'utf8'));

function countBy(keyOf) {
  const counts = new Map();
  for (const path of inputs.file_list) counts.set(keyOf(path), (counts.get(keyOf(path)) ?? 0) + 1);
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.map(([name, files]) => ({ name, files }));
}

const folders = countBy((path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.'));
const extensions = countBy((path) => extname(path) || '(none)');
console.log(JSON.stringify({ tree_summary: { files: inputs.file_list.length, folders, extensions } }));
