import { posix, win32 } from 'node:path';
import { StudioError } from '#shared/errors.ts';

/** The scheme the packaged app registers for links such as `sunwell://open?path=/home/ada/lenses`. */
export const linkScheme = 'sunwell';

const maxLength = 4096;

// A path that is shown to be agreed to must look like what it is: no control, zero-width or direction characters.
const deceptive = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u;

/** The folder a link asks to open, as the absolute path to show the user; refuses every other link. */
export function parseDeepLink(link: string, platform: NodeJS.Platform = process.platform): string {
  const refuse = (why: string): never => {
    throw new StudioError('host.bad-link', `Cannot open the link "${shown(link)}": ${why}`);
  };
  if (link.length > maxLength) return refuse('it is too long');
  if (!URL.canParse(link)) return refuse('it is not an address');
  const url = new URL(link);
  if (url.protocol !== `${linkScheme}:`) return refuse(`it does not start with "${linkScheme}://"`);
  if (url.host !== 'open' || !['', '/'].includes(url.pathname) || url.username || url.password || url.hash)
    return refuse(`only "${linkScheme}://open?path=…" is known`);

  const names = [...url.searchParams.keys()];
  const folder = url.searchParams.get('path') ?? '';
  if (names.length !== 1 || folder === '') return refuse('it must name one "path" and nothing else');
  if (folder.includes('�') || deceptive.test(folder)) return refuse('its path holds hidden characters');

  const path = platform === 'win32' ? win32 : posix;
  if (!path.isAbsolute(folder)) return refuse('its path is not absolute');
  // Touching a network or device path would send the user's credentials to a server of the link's choice.
  if (platform === 'win32' && !/^[a-z]:[\\/]/i.test(folder))
    return refuse('its path is not on a local drive');
  return path.normalize(folder);
}

function shown(link: string): string {
  const plain = link.replace(new RegExp(deceptive, 'gu'), '�');
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
}
