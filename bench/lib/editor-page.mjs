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

/**
 * The same in a page that has an editor and nothing else.
 * @param {{ line: number, column: number }} place
 * @returns {Promise<void>}
 */
export async function showPlainAt({ line, column }) {
  const editor = await globalThis.plainEditor;
  editor.setPosition({ lineNumber: line, column });
  editor.revealLineInCenter(line);
  editor.focus();
  await new Promise((resolve) => setTimeout(resolve, 1500));
}

/** Notes for every key how long it takes from its press to the frame whose lines or cursor have changed. */
export function startTiming() {
  const keys = { times: [], pressed: [] };
  window.measuredKeys = keys;
  const editor = document.querySelector('.monaco-editor');
  const [lines, cursors] = ['.view-lines', '.cursors-layer'].map((part) => editor.querySelector(part));
  // A bracket typed over the one that closed itself moves the cursor and no letter: without it the next key would end its time.
  const shownNow = () => {
    const { top, left } = cursors.querySelector('.cursor').style;
    return `${top} ${left} ${lines.textContent}`;
  };
  window.addEventListener(
    'keydown',
    ({ timeStamp }) => keys.pressed.push({ timeStamp, before: shownNow() }),
    true,
  );
  // The editor writes its lines at the beginning of a frame; a message is handled when that frame is on its way.
  const observer = new MutationObserver(() => {
    const now = shownNow();
    const shown = keys.pressed.filter(({ before }) => before !== now);
    if (shown.length === 0) return;
    keys.pressed = keys.pressed.filter((key) => !shown.includes(key));
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      keys.times.push(...shown.map(({ timeStamp }) => performance.now() - timeStamp));
      port1.close();
    };
    port2.postMessage(undefined);
  });
  observer.observe(lines, { childList: true, subtree: true, characterData: true });
  observer.observe(cursors, { subtree: true, attributeFilter: ['style'] });
}

/**
 * The times so far, and from now on new ones; keys that changed nothing are forgotten.
 * @returns {number[]}
 */
export function takeTimes() {
  window.measuredKeys.pressed = [];
  return window.measuredKeys.times.splice(0);
}
