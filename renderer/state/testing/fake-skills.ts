import { ORPCError } from '@orpc/client';
import type {
  PlanId,
  SkillDetail,
  SkillList,
  SkillMatch,
  SkillPreview,
  UploadId,
  UploadPart,
} from '#shared/model/agent-skills.ts';
import type { FileId } from '#shared/model/workspace.ts';

type Call = <Input, Output>(
  name: string,
  answer: (input: Input) => Output,
) => (input: Input) => Promise<Output>;

export function foundSkill(name: string, change: Partial<SkillList['skills'][number]> = {}) {
  const file = `.claude/skills/${name}/SKILL.md`;
  const description = `Does <${name}>. Use when asked`;
  return { name, description, scope: 'project' as const, file, sha256: 'a', problems: [], ...change };
}

/** The engine's Agent Skills with answers that a test decides; a plan can be carried out once. */
export class FakeSkills {
  list: SkillList = { skills: [foundSkill('pdf')], shadowed: [], skipped: [], suggestions: [] };
  matches: SkillMatch[] = [];
  readonly requests: unknown[] = [];
  readonly uploads: UploadPart[][] = [];
  readonly written: string[] = [];
  #plans = 0;
  readonly #kept = new Set<PlanId>();

  answers(call: Call) {
    const preview = (kind: SkillPreview['kind'], request: unknown): SkillPreview => {
      this.requests.push(request);
      const plan = `plan-${++this.#plans}` as PlanId;
      this.#kept.add(plan);
      const files = [{ path: 'pdf/SKILL.md', operation: 'new' as const, size: 1, isExecutable: false }];
      const common = { plan, folder: 'skills', files, notes: [] };
      if (kind === 'import')
        return { kind, ...common, name: 'pdf', lens: 'a.lens' as FileId, before: '', after: '' };
      return kind === 'export'
        ? { kind, ...common, skills: ['pdf'] }
        : { kind, ...common, skills: ['pdf'], agent: 'claude' };
    };
    return {
      agentSkills: {
        discover: call('agentSkills.discover', () => this.list),
        show: call('agentSkills.show', ({ file }: { file: string }): SkillDetail => ({
          ...{ file, sha256: 'a', properties: [], text: '', bodyLine: 1 },
          ...{ files: [], leftOut: [], validation: [], advice: [] },
        })),
        match: call('agentSkills.match', (request: unknown) => {
          this.requests.push(request);
          return this.matches;
        }),
        upload: call('agentSkills.upload', ({ parts }: { parts: UploadPart[] }) => {
          this.uploads.push(parts);
          return { upload: 'u1' as UploadId };
        }),
        planImport: call('agentSkills.planImport', (request: unknown) => preview('import', request)),
        planExport: call('agentSkills.planExport', (request: unknown) => preview('export', request)),
        planInstall: call('agentSkills.planInstall', (request: unknown) => preview('install', request)),
        write: call('agentSkills.write', ({ plan }: { plan: PlanId }) => {
          if (!this.#kept.delete(plan)) throw new ORPCError('agent-skill.preview-gone', { data: {} });
          this.written.push(plan);
          return { files: 1 };
        }),
      },
    };
  }
}
