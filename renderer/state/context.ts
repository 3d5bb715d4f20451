import { createContext } from 'svelte';
import type { LayoutClient } from './graph-layout-client.ts';
import type { Studio } from './studio.svelte.ts';

/** The studio of this window, set once by the app and read by every feature. */
export const [getStudio, setStudio] = createContext<Studio>();

/** What lays out the graphs of this window: one worker, started with the page, so that no graph waits for it. */
export const [getLayouts, setLayouts] = createContext<LayoutClient>();
