import type { Monaco } from '../monaco.ts';

const scheme = 'sunwell';
const most = 40;

/** Texts of files that are not open, for the editor to show a look at them. */
export class Previews {
  readonly #monaco: typeof Monaco;
  readonly #models = new Map<string, Monaco.editor.ITextModel>();

  constructor(monaco: typeof Monaco) {
    this.#monaco = monaco;
  }

  /** The address of a file's text, which exists from then on. */
  show(file: string, text: string): Monaco.Uri {
    const known = this.#models.get(file);
    if (known) {
      if (known.getValue() !== text) known.setValue(text);
      return known.uri;
    }
    const uri = this.#monaco.Uri.from({ scheme, path: `/${file}` });
    this.#models.set(file, this.#monaco.editor.createModel(text, 'yaml', uri));
    const [oldest] = this.#models;
    if (this.#models.size > most && oldest) {
      oldest[1].dispose();
      this.#models.delete(oldest[0]);
    }
    return uri;
  }

  /** The file behind an address; undefined where it is none of ours. */
  fileOf(uri: Monaco.Uri): string | undefined {
    return uri.scheme === scheme ? uri.path.slice(1) : undefined;
  }
}
