// Finds the lines that hold the parameter "query", or match it where "regex" is true.
import { readFileSync } from 'node:fs';

const most = 200;
const { inputs, params } = JSON.parse(readFileSync(0, 'utf8'));
const { query, regex = false, ignore_case = false } = params;
if (typeof query !== 'string' || query === '') {
  console.error('The parameter "query" is missing: give the text to look for');
  process.exit(1);
}

let pattern;
try {
  const source = regex ? query : query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  pattern = new RegExp(source, ignore_case ? 'iu' : 'u');
} catch (error) {
  console.error(`Cannot search for "${query}": ${error.message}`);
  process.exit(1);
}

const shown = [];
let total = 0;
for (const path of inputs.file_list) {
  const bytes = readFileSync(path);
  if (bytes.includes(0)) continue;
  for (const [at, line] of bytes.toString('utf8').split(/\r?\n/).entries()) {
    if (!pattern.test(line)) continue;
    total += 1;
    if (shown.length < most) shown.push({ path, line: at + 1, text: line.trim().slice(0, 200) });
  }
}
if (total > shown.length) console.error(`${total} lines match, the first ${most} are listed`);
console.log(JSON.stringify({ matches: { query, total, shown } }));
