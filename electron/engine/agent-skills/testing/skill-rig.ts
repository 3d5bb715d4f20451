import { chmod, lstat, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DiskWorld } from '../../../testing/disk-world.ts';

/** The text of a plain SKILL.md. */
export function skillMd(
  name: string,
  description = `Does ${name}. Use it when asked`,
  body = 'Do it.\n',
): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}

/** Real folders of skills for a test, and what is in a folder afterwards. */
export class SkillRig extends DiskWorld {
  /** Writes files as bytes; a name that ends with "*" makes an executable one. */
  async write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, name.replace(/\*$/, ''));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      await chmod(path, name.endsWith('*') ? 0o755 : 0o644);
    }
  }

  async folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
    const folder = await this.makeFolder();
    await this.write(folder, files);
    return folder;
  }
}

/** Every file below a folder as `path mode bytes`, every empty folder as `path/`, sorted. */
export async function contentOf(folder: string, inside = ''): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(join(folder, inside), { withFileTypes: true });
  if (entries.length === 0 && inside !== '') return [`${inside}/`];
  for (const entry of entries) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await contentOf(folder, path)));
    else {
      const { mode } = await lstat(join(folder, path));
      const bytes = entry.isFile() ? await readFile(join(folder, path)) : Buffer.from('link');
      found.push(`${path} ${(mode & 0o777).toString(8)} ${bytes.toString('base64')}`);
    }
  }
  return found.sort();
}

/** The paths below a folder. */
export async function pathsIn(folder: string): Promise<string[]> {
  return (await contentOf(folder)).map((line) => line.split(' ', 1)[0]!);
}
