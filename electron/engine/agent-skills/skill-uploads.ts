import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { StudioError } from '#shared/errors.ts';
import type { UploadId, UploadPart } from '#shared/model/agent-skills.ts';
import type { ImportSource } from './import-source.ts';
import { SkillMountError, SkillValidationError } from './skill-errors.ts';
import { skillLimits, TreeBuilder } from './skill-tree.ts';

/** An archive may be a little larger than what it holds. */
const maxBytes = skillLimits.bytes + 4 * 1024 * 1024;
/** A page that hands files over again and again must not fill the memory. */
const mostKept = 4;

interface Upload {
  readonly files: Map<string, Buffer[]>;
  bytes: number;
}

/** Files that pages handed over, in memory and bounded; the oldest are forgotten. */
export class SkillUploads {
  readonly #uploads = new Map<UploadId, Upload>();

  /** Adds parts to an upload, or starts one; parts of the same path follow each other. */
  add(id: UploadId | undefined, parts: readonly UploadPart[]): UploadId {
    const upload = id === undefined ? { files: new Map<string, Buffer[]>(), bytes: 0 } : this.#find(id);
    for (const { path, base64 } of parts) {
      const bytes = Buffer.from(base64, 'base64');
      upload.bytes += bytes.length;
      const chunks = upload.files.get(path);
      if (chunks) chunks.push(bytes);
      else upload.files.set(path, [bytes]);
      if (upload.bytes > maxBytes || upload.files.size > skillLimits.files) {
        if (id !== undefined) this.#uploads.delete(id);
        const message = `Cannot take these files: a skill has at most 10 MiB and ${skillLimits.files} files; choose its folder or archive alone`;
        throw new SkillMountError('too_large', message);
      }
    }
    const kept = id ?? (randomUUID() as string as UploadId);
    this.#uploads.set(kept, upload);
    for (const oldest of this.#uploads.keys()) {
      if (this.#uploads.size > mostKept) this.#uploads.delete(oldest);
    }
    return kept;
  }

  /** What was handed over, to be imported: one archive, or the files of a folder. */
  source(id: UploadId): ImportSource {
    const files = [...this.#find(id).files].map(([path, chunks]) => ({ path, bytes: Buffer.concat(chunks) }));
    const [first, ...others] = files;
    if (first && others.length === 0 && /\.(zip|skill)$/i.test(first.path))
      return { kind: 'archive', fileName: first.path, bytes: first.bytes };
    const skillMd = files
      .filter(({ path }) => /(^|\/)SKILL\.md$/.test(path))
      .sort((a, b) => a.path.length - b.path.length)[0];
    if (!skillMd) {
      const message =
        'Cannot import these files: there is no SKILL.md among them; choose the folder of a skill';
      throw new SkillValidationError('missing_skill_md', message);
    }
    const root = skillMd.path.slice(0, -'SKILL.md'.length);
    const folderName = root.split('/').at(-2) ?? 'skill';
    const builder = new TreeBuilder(folderName);
    for (const { path, bytes } of files) {
      if (!path.startsWith(root)) {
        const message = `Cannot import "${folderName}": "${path}" lies beside it; choose the folder of one skill`;
        throw new SkillValidationError('unsafe', message, { skill: folderName });
      }
      const inside = path.slice(root.length);
      if (inside.split('/').includes('.git')) continue;
      // A page is not told which files are executable.
      const mode = bytes.subarray(0, 2).toString() === '#!' ? 0o755 : 0o644;
      builder.addFile({ path: inside, bytes, mode });
    }
    return { kind: 'tree', folderName, tree: builder.build() };
  }

  #find(id: UploadId): Upload {
    const upload = this.#uploads.get(id);
    if (upload) return upload;
    throw new StudioError('agent-skill.preview-gone', 'Cannot find these files any more: choose them again');
  }
}
