/** The tools of an `allowed-tools` value: split at blanks and commas, but never inside brackets as in `Bash(git log:*)`. */
export function tokenizeTools(text: string): string[] {
  const tools: string[] = [];
  let tool = '';
  let depth = 0;
  for (const character of text) {
    if (depth === 0 && /[\s,]/.test(character)) {
      if (tool !== '') tools.push(tool);
      tool = '';
      continue;
    }
    if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    tool += character;
  }
  if (tool !== '') tools.push(tool);
  return tools;
}
