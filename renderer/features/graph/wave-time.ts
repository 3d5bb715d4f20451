import type { GraphOverlay } from '#renderer/state/graph-overlay.svelte.ts';
import type { SceneColumn } from '#renderer/state/graph-scene.ts';

/** How long a wave takes when all that must run in it runs at once; undefined where nothing is known. */
export function waveMs({ skills, estimatedMs }: SceneColumn, overlay: GraphOverlay): number | undefined {
  let longestMs: number | undefined;
  for (const { key } of skills) {
    const { decision, state, durationMs } = overlay.get(key) ?? {};
    const isReused = decision === 'skip' || state === 'cached';
    if (durationMs !== undefined && !isReused) longestMs = Math.max(longestMs ?? 0, durationMs);
  }
  return longestMs ?? estimatedMs;
}
