import type { StudioClient } from '#shared/contract.ts';
import type { UploadId, UploadPart } from '#shared/model/agent-skills.ts';
import type { WorkspaceId } from '#shared/model/workspace.ts';

/** A file that the user gave the page, with its path inside what was given. */
export interface GivenFile {
  readonly path: string;
  readonly content: Blob;
}

/** What the engine takes at most; told before anything is read. */
export const givenLimits = { bytes: 14 * 1024 * 1024, files: 2000 };

const chunkBytes = 768 * 1024;
const mostParts = 500;

/** Hands files over to the engine in messages of a size that every host takes. */
export async function uploadFiles(
  client: StudioClient,
  workspace: WorkspaceId,
  files: readonly GivenFile[],
): Promise<UploadId> {
  let upload: UploadId | undefined;
  let parts: UploadPart[] = [];
  let waiting = 0;
  const send = async (): Promise<void> => {
    if (parts.length === 0) return;
    ({ upload } = await client.agentSkills.upload({ workspace, ...(upload && { upload }), parts }));
    [parts, waiting] = [[], 0];
  };
  for (const { path, content } of files) {
    const bytes = new Uint8Array(await content.arrayBuffer());
    for (let start = 0; start === 0 || start < bytes.length; start += chunkBytes) {
      const chunk = bytes.subarray(start, start + chunkBytes);
      if (waiting + chunk.length > chunkBytes || parts.length >= mostParts) await send();
      parts.push({ path, base64: toBase64(chunk) });
      waiting += chunk.length;
    }
  }
  await send();
  if (upload === undefined) throw new Error('No files were given');
  return upload;
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  // All at once would be more arguments than a call takes.
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}
