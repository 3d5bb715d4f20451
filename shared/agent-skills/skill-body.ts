/** Ends a skill's own instructions where sections made from its lens follow. */
export const sectionsMark = '<!-- sunwell: what follows was made from the lens -->';

/** The body of a SKILL.md: the skill's own instructions, then what its lens adds. */
export function composeBody(instructions: string | undefined, sections: string): string {
  const own = instructions?.trim() ?? '';
  let body = own === '' ? '' : `\n${own}\n`;
  // Instructions that hold the mark themselves need a later one, or they would be cut at their own.
  if (sections.trim() !== '' || own.includes(sectionsMark)) body += `\n${sectionsMark}\n`;
  if (sections.trim() !== '') body += `\n${sections.trim()}\n`;
  return body;
}

/** False where there are no instructions; the blanks around them where there are any; else undefined. */
export function edgesOf(instructions: string | undefined): false | [string, string] | undefined {
  if (instructions === undefined) return false;
  const own = instructions.trim();
  if (own === instructions) return undefined;
  const start = own === '' ? instructions.length : instructions.indexOf(own);
  return [instructions.slice(0, start), instructions.slice(start + own.length)];
}

/** The skill's own instructions out of a body, with the blanks around them that were noted. */
export function ownInstructions(
  body: string,
  edges: false | readonly [string, string] | undefined,
): string | undefined {
  if (edges === false) return undefined;
  const mark = body.lastIndexOf(sectionsMark);
  const own = (mark < 0 ? body : body.slice(0, mark)).trim();
  return edges === undefined ? own : edges[0] + own + edges[1];
}
