/**
 * The failure of the system, told of the file that was meant: its own words name a passing file beside it, which nobody
 * knows and which is gone. What is no failure of the system stays as it is.
 */
export function toldOf(path: string, error: unknown): unknown {
  const { message, code, errno, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const [what] = message.split(`, ${syscall}`);
  const told = new Error(`${what}, ${syscall} '${path}'`, { cause: error });
  return Object.assign(told, { code, errno, syscall, path });
}
