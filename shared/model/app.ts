import { z } from 'zod';

/** Something the user should know that no request of theirs caused, such as a settings file set aside. */
export const Notice = z.object({ code: z.string(), message: z.string() });
export type Notice = z.infer<typeof Notice>;

export const HostKind = z.enum(['desktop', 'web', 'cli', 'test']);
export type HostKind = z.infer<typeof HostKind>;

export const AppInfo = z.object({
  name: z.string(),
  version: z.string(),
  host: HostKind,
  platform: z.string(),
  canChooseFolder: z.boolean(),
  /** Where the sample workspace is or will be. */
  sampleLocation: z.string().optional(),
  notices: z.array(Notice),
});
export type AppInfo = z.infer<typeof AppInfo>;

/** How many of all steps are over. */
export const RunProgress = z.object({ done: z.int().min(0), of: z.int().min(0) });
export type RunProgress = z.infer<typeof RunProgress>;

/** What a host tells its page: a menu command, a folder the user agreed to open, or that it is going away. */
export const AppEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('command'), command: z.string() }),
  z.object({ type: z.literal('open-folder'), folder: z.string() }),
  z.object({ type: z.literal('notice'), notice: Notice }),
  z.object({ type: z.literal('stopping'), reason: z.string() }),
]);
export type AppEvent = z.infer<typeof AppEvent>;
