import { z } from 'zod';

export const Theme = z.enum(['system', 'light', 'dark', 'contrast']);
export type Theme = z.infer<typeof Theme>;

/** What the studio remembers of one user's window; never anything that changes trust, isolation or keys. */
export const Settings = z.object({
  theme: Theme.default('system'),
  /** Sizes of split panes in percent, by group name. */
  panes: z.record(z.string().max(64), z.array(z.number().min(0).max(100)).max(8)).default({}),
  /** Most recent first. */
  recentWorkspaces: z
    .array(z.object({ name: z.string(), location: z.string() }))
    .max(20)
    .default([]),
});
export type Settings = z.infer<typeof Settings>;

/** What the page may change; the engine keeps the rest itself. */
export const SettingsChange = Settings.pick({ theme: true, panes: true }).partial();
export type SettingsChange = z.infer<typeof SettingsChange>;
