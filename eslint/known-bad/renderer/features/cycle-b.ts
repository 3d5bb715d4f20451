import CycleA from './CycleA.svelte';

export const title = (): string => CycleA.name;
