// These run in the studio's page; `measuredStudio` is there because the page's address asks for it with "?measure".

/** Runs the lens, so that there is an output to be seen. */
export async function showRun() {
  await measuredStudio.startRun();
  const isThere = () => document.querySelector('[aria-label="Output of the scripts"]');
  while (measuredStudio.tabs.active.lensRun.run.isRunning || !isThere()) {
    await new Promise(requestAnimationFrame);
  }
}

/**
 * @returns {Promise<number[]>}
 * @param {number} count Fills the log but for the last seconds, in which a thousand lines a second come and frames are timed.
 */
export async function fillLog(count) {
  const { log } = measuredStudio.tabs.active.lensRun.run;
  const line = (i) =>
    `${i} reading src/harbor/part-${i % 97}.py: ${i % 1000 === 0 ? 'error' : 'ok'} after ${i % 31} ms`;
  const from = { skill: 'talk', stream: 'stdout' };
  const durationMs = 3_000;
  const before = count - durationMs;
  for (let i = 0; i < before; i += 1_000) {
    log.append(from, `${Array.from({ length: 1_000 }, (_, k) => line(i + k)).join('\n')}\n`);
  }
  let added = 0;
  const startMs = performance.now();
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  while (last < startMs + durationMs) {
    while (added < performance.now() - startMs) log.append(from, `${line(before + added++)}\n`);
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
}

/** @param {number} count Scrolls through the whole log, up and down, and times the frames. */
export async function scrollFrames(count) {
  const view = document.querySelector('[aria-label="Output of the scripts"]');
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let i = 0; i < count; i++) {
    const along = i < count / 2 ? i / count : 1 - i / count;
    view.scrollTop = along * 2 * view.scrollHeight;
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
}

/**
 * How long each query takes from the letter to the page with what is found.
 * @param {readonly string[]} queries
 * @returns {Promise<number[]>}
 */
export async function searchTimes(queries) {
  const field = document.querySelector('input[placeholder="Search the output"]');
  const times = [];
  for (const query of queries) {
    await new Promise(requestAnimationFrame);
    const startMs = performance.now();
    field.value = query;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve));
    times.push(performance.now() - startMs);
  }
  field.value = '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return times;
}
