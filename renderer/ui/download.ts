/** Hands the user a file that the page made. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the address by then; keeping it would keep the text in memory.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
