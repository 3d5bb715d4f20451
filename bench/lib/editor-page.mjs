// These run in the studio's page; `measuredStudio` is there because the page's address asks for it with "?measure".

/**
 * Shows a file as text, with the cursor at a place of it; answers how many problems it has.
 * @param {{ file: string, line: number, column: number }} place
 * @returns {Promise<number>}
 */
export async function showTextAt({ file, line, column }) {
  while (!globalThis.measuredStudio?.workspace.entry(file)) await new Promise(requestAnimationFrame);
  measuredStudio.openTextAt({ file, line, column, endLine: line, endColumn: column });
  while (!document.querySelector('.monaco-editor .view-line')) await new Promise(requestAnimationFrame);
  while (!measuredStudio.tabs.active?.resolution?.result) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return measuredStudio.problems.inFile(file).length;
}

/** Notes for every key how long it takes from its press to the frame whose lines have changed. */
export function startTiming() {
  const keys = { times: [], pressed: [] };
  window.measuredKeys = keys;
  const lines = document.querySelector('.monaco-editor .view-lines');
  window.addEventListener(
    'keydown',
    ({ timeStamp }) => keys.pressed.push({ timeStamp, text: lines.textContent }),
    true,
  );
  // The editor writes its lines at the beginning of a frame; a message is handled when that frame is on its way.
  new MutationObserver(() => {
    const shown = keys.pressed.filter(({ text }) => text !== lines.textContent);
    if (shown.length === 0) return;
    keys.pressed = keys.pressed.filter((key) => !shown.includes(key));
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      keys.times.push(...shown.map(({ timeStamp }) => performance.now() - timeStamp));
      port1.close();
    };
    port2.postMessage(undefined);
  }).observe(lines, { childList: true, subtree: true, characterData: true });
}

/**
 * The times so far, and from now on new ones; keys that changed nothing are forgotten.
 * @returns {number[]}
 */
export function takeTimes() {
  window.measuredKeys.pressed = [];
  return window.measuredKeys.times.splice(0);
}
