// These run in the studio's page; `measuredStudio` is there because the page's address asks for it with "?measure".

/** @param {string} name Opens a lens by its name in the explorer, and answers how long it took to be drawn. */
export async function openAndWait(name) {
  const rows = () => [...document.querySelectorAll('[role="treeitem"]')];
  for (;;) {
    const row = rows().find((element) => element.textContent?.includes(name));
    if (row) {
      row.click();
      break;
    }
    await new Promise(requestAnimationFrame);
  }
  const startMs = performance.now();
  while (!document.querySelector('.svelte-flow__node')) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return { sinceClickMs: performance.now() - startMs, sinceLoadMs: performance.now() };
}

/** Closes the open lens once its plan is there, so that it can be opened again while nothing else is going on. */
export async function closeTab() {
  const tab = measuredStudio.tabs.active;
  while (!tab.lensRun.plan.plan) await new Promise(requestAnimationFrame);
  return measuredStudio.tabs.close(tab);
}

/** @param {number} count Moves the view a little every frame, there and back, and times the frames. */
export async function panFrames(count) {
  const tab = measuredStudio.tabs.active;
  const from = tab.viewport ?? { x: 0, y: 0, zoom: 1 };
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let i = 0; i < count; i++) {
    const along = (i < count / 2 ? i : count - i) * 18;
    tab.moveGraph({ ...from, x: from.x - along, y: from.y - along / 4 });
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  tab.moveGraph(from);
  return times;
}

/** @param {number} durationMs States change a hundred times a second while frames are timed. */
export async function liveFrames(durationMs) {
  const tab = measuredStudio.tabs.active;
  const keys = tab.drawing.skills.map(({ key }) => key);
  const states = ['running', 'ran', 'cached', 'failed'];
  let event = 0;
  const startMs = performance.now();
  // By the clock, not by the timer: a timer that comes late must not mean fewer events.
  const timer = setInterval(() => {
    while (event < (performance.now() - startMs) / 10) {
      tab.overlay.set(keys[(event * 7) % keys.length], { state: states[event % 4], durationMs: event });
      event++;
    }
  }, 10);
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  while (last < startMs + durationMs) {
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  clearInterval(timer);
  return times;
}

/** @param {number} count How long it takes from one change of state until the page is laid out again. */
export async function updateTimes(count) {
  const tab = measuredStudio.tabs.active;
  const seen = document.querySelector('.svelte-flow__node');
  const states = ['running', 'ran', 'cached', 'failed'];
  const times = [];
  for (let i = 0; i < count; i++) {
    await new Promise(requestAnimationFrame);
    const startMs = performance.now();
    tab.overlay.set(seen.dataset.id, { state: states[i % 4], durationMs: i });
    // Svelte writes the page in a microtask.
    await Promise.resolve();
    await Promise.resolve();
    seen.getBoundingClientRect();
    times.push(performance.now() - startMs);
  }
  return times;
}

/**
 * Memory of the page after a collection, and its elements.
 * @returns {{ heapBytes: number, elements: number }}
 */
export function footprint() {
  globalThis.gc?.();
  return { heapBytes: performance.memory.usedJSHeapSize, elements: document.querySelectorAll('*').length };
}
