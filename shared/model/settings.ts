import { z } from 'zod';

export const Theme = z.enum(['system', 'light', 'dark', 'contrast']);
export type Theme = z.infer<typeof Theme>;

/** Sizes of split panes in percent, by group name. */
const Panes = z.record(z.string().max(64), z.array(z.number().min(0).max(100)).max(8));

/** Values for the inputs of lenses as they were last typed, by workspace and file. */
const LensInputs = z.record(z.string().max(8192), z.record(z.string().max(256), z.string().max(20_000)));

/** Keys of commands that the user changed; null for none. */
const Keymap = z.record(z.string().max(64), z.string().min(1).max(64).nullable());

/** What was last chosen in the search, newest first, by workspace. */
const RecentItems = z.record(z.string().max(8192), z.array(z.string().max(8192)).max(30));

const SkillFolders = z.array(z.string().min(1).max(4096)).max(20);

/** What the studio remembers of one user's window; never anything that changes trust, isolation or keys. */
export const Settings = z.object({
  theme: Theme.default('system'),
  panes: Panes.default({}),
  /** Most recent first. */
  recentWorkspaces: z
    .array(z.object({ name: z.string(), location: z.string() }))
    .max(20)
    .default([]),
  /** Folders besides the usual ones in which Agent Skills are looked for. */
  skillFolders: SkillFolders.default([]),
  /** The tour was taken or dismissed: it does not come again by itself. */
  tourSeen: z.boolean().default(false),
  lensInputs: LensInputs.default({}),
  keymap: Keymap.default({}),
  recentItems: RecentItems.default({}),
});
export type Settings = z.infer<typeof Settings>;

/** What the page may change; the engine keeps the rest itself. Panes, lenses and workspaces not named stay as they are. */
export const SettingsChange = z.object({
  theme: Theme.optional(),
  panes: Panes.optional(),
  skillFolders: SkillFolders.optional(),
  tourSeen: z.boolean().optional(),
  lensInputs: LensInputs.optional(),
  keymap: Keymap.optional(),
  recentItems: RecentItems.optional(),
});
export type SettingsChange = z.infer<typeof SettingsChange>;
