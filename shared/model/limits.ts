/** What all processes of one script may use together; no skill can change it. */
export const scriptMemoryBytes = 512 * 1024 * 1024;
