import { answerLayout } from './graph-layout.ts';
import type { LayoutRequest } from './graph-layout.ts';

self.addEventListener('message', ({ data }: MessageEvent<{ id: number; request: LayoutRequest }>) => {
  const answer = answerLayout(data.request);
  const buffers = [answer.heights, answer.columnSizes, answer.passStarts, answer.passes];
  self.postMessage({ id: data.id, answer }, { transfer: buffers.map(({ buffer }) => buffer as ArrayBuffer) });
});
