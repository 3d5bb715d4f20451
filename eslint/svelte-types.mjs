// @ts-check
// Lets TypeScript read components as the parser sees them, from the start. Without it every component that is linted
// changes the program, and all types are worked out anew: twice as long. Read when the parser is loaded, so this comes first.
process.env['SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK'] ??= '1';
