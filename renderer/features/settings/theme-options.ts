import type { Theme } from '#shared/model/settings.ts';

/** The themes in the order they are offered. */
export const themeOptions: readonly { readonly value: Theme; readonly title: string }[] = [
  { value: 'system', title: 'System' },
  { value: 'light', title: 'Light' },
  { value: 'dark', title: 'Dark' },
  { value: 'contrast', title: 'High contrast' },
];
