import { createContext } from 'svelte';
import type { Studio } from './studio.svelte.ts';

/** The studio of this window, set once by the app and read by every feature. */
export const [getStudio, setStudio] = createContext<Studio>();
