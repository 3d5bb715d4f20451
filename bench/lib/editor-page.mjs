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

/** Notes for every key how long it takes from its press to the frame that shows it. */
export function startTiming() {
  const times = [];
  window.keyTimes = times;
  window.addEventListener(
    'keydown',
    ({ timeStamp }) => {
      requestAnimationFrame(() => {
        // A message is handled after the frame is on its way to the screen.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          times.push(performance.now() - timeStamp);
          port1.close();
        };
        port2.postMessage(undefined);
      });
    },
    true,
  );
}

/**
 * The times so far, and from now on new ones.
 * @returns {number[]}
 */
export function takeTimes() {
  return window.keyTimes.splice(0);
}
