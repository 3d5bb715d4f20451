/** Where scripts find what they may see and use, as they see it; the same on every machine. */
export const sandboxPaths = { workspace: '/workspace', tmp: '/tmp' } as const;
