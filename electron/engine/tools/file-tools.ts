import { z } from 'zod';
import { compileGlob } from '#shared/glob.ts';
import type { ToolName } from '#shared/model/tool-names.ts';
import type { ModelTool } from '../models/complete.ts';
import { modelTool } from './model-tool.ts';
import { ToolRefusal } from './step-view.ts';
import type { StepView } from './step-view.ts';
import type { ToolRules } from './tool-rules.ts';

const mostChars = 50_000;
const mostLines = 2000;
const mostPaths = 500;

/** The tools that look at files and propose some; none of them touches the workspace itself. */
export function fileTools(view: StepView, rules: ToolRules): Partial<Record<ToolName, ModelTool>> {
  const pathFor = (tool: ToolName, written: string): string => {
    const path = view.pathOf(written);
    if (rules.allowsPath(tool, path)) return path;
    const limits = rules.limitsOf(tool).join(', ');
    throw new ToolRefusal(`Cannot use ${tool} on "${path}": this skill may only use it on ${limits}`);
  };
  return {
    Read: modelTool(
      'Reads a text file of the workspace. Lines count from 1',
      z.object({
        path: z.string().describe('Path from the root of the workspace'),
        from: z.int().min(1).optional().describe('First line'),
        lines: z.int().min(1).optional().describe('How many lines'),
      }),
      ({ path, from = 1, lines = mostLines }) =>
        pageOf(view.readText(pathFor('Read', path)), from, Math.min(lines, mostLines)),
    ),
    Write: modelTool(
      'Proposes a file with this text, new or in place of one; a person reviews it before it reaches the workspace',
      z.object({ path: z.string(), text: z.string() }),
      ({ path, text }) => {
        const target = pathFor('Write', path);
        view.write(target, text);
        return `Proposed "${target}" (${Buffer.byteLength(text)} bytes)`;
      },
    ),
    Edit: modelTool(
      'Proposes a file with one piece of its text replaced; the piece must stand in it exactly once, unless all are meant',
      z.object({ path: z.string(), old: z.string().min(1), new: z.string(), all: z.boolean().optional() }),
      ({ path, old, new: replacement, all = false }) => {
        const target = pathFor('Edit', path);
        const text = view.readText(target);
        const count = text.split(old).length - 1;
        if (count === 0) throw new ToolRefusal(`Cannot edit "${target}": the old text is not in it`);
        if (count > 1 && !all)
          throw new ToolRefusal(
            `Cannot edit "${target}": the old text is in it ${count} times, give more of it`,
          );
        view.write(target, text.split(old).join(replacement));
        return `Proposed "${target}" with ${count === 1 ? 'one change' : `${count} changes`}`;
      },
    ),
    Glob: modelTool(
      'Lists the files of the workspace whose paths match a glob, such as src/**/*.ts',
      z.object({ pattern: z.string() }),
      ({ pattern }) => {
        const matches = compileGlob(pattern.replace(/^\/workspace\/|^\.\//, ''));
        const found = view
          .paths()
          .filter((path) => matches(path.split('/')) && rules.allowsPath('Glob', path));
        const listed = found.slice(0, mostPaths);
        const left = found.length - listed.length;
        return [...listed, ...(left > 0 ? [`(and ${left} more)`] : [])].join('\n') || 'No file matches';
      },
    ),
  };
}

function pageOf(text: string, from: number, lines: number): string {
  const all = text.split('\n');
  const page = all.slice(from - 1, from - 1 + lines).join('\n');
  const left = all.length - (from - 1 + lines);
  const isCut = page.length > mostChars;
  const shown = isCut ? page.slice(0, mostChars) : page;
  if (isCut) return `${shown}\n[cut here: ask for fewer lines]`;
  return left > 0 ? `${shown}\n[${left} more lines: go on from line ${from + lines}]` : shown;
}
