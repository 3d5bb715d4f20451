/** Gives every file of a folder a plain name of its own, on systems to which case does not matter too. */
export class FileNames {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken.map((path) => path.toLowerCase()));
  }

  /** A free path in a folder that reads like the title. */
  take(folder: string, title: string): string {
    const plain = plainName(title);
    const dot = plain.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, ''];
    for (let n = 1; ; n++) {
      const path = `${folder}/${n === 1 ? plain : `${stem}-${n}${extension}`}`;
      if (this.#taken.has(path.toLowerCase())) continue;
      this.#taken.add(path.toLowerCase());
      return path;
    }
  }
}

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A title as a file name that every system takes. */
function plainName(title: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80)
    .replace(/[-.]+$/, '');
  if (name === '') return 'file';
  return reserved.test(name) ? `file-${name}` : name;
}
