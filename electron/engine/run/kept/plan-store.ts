import { installKey } from '../../store/install-key.ts';
import { plansFolder } from '../../store/plans-folder.ts';
import { SignedFiles } from '../../store/signed-files.ts';

/** Names the program by its code; missing where it runs unbuilt. */
declare const __BUILD__: string | undefined;

/** Plans in `$SUNWELL_HOME/plans`, each as two lines: what it rests on, and what it says. None where the program runs unbuilt. */
export function openPlanStore(
  home: string,
  build = typeof __BUILD__ === 'string' ? __BUILD__ : undefined,
): SignedFiles | undefined {
  if (build === undefined) return undefined;
  const limits = { maxFiles: 64, maxBytes: 64 * 1024 * 1024 };
  return new SignedFiles({ folder: plansFolder(home), key: installKey(home), build, ...limits });
}
