/** The largest object that is read; a lens is smaller, and a tree of a million files is not. */
export const maxObjectBytes = 16 * 1024 * 1024;
