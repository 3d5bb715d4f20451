import { z } from 'zod';

const Interpreter = z.object({
  path: z.string().nullable(),
  version: z.string().nullable(),
  passedOver: z.array(z.object({ path: z.string(), why: z.string() })),
});

/** Whether scripts can run on this machine, how they are held, and what is not held back. */
export const DoctorReport = z.object({
  platform: z.string(),
  sandbox: z.object({
    backend: z.string(),
    version: z.string().nullable(),
    available: z.boolean(),
    /** Why not, and the way out. */
    problem: z.string().optional(),
    uid: z.int(),
    probes: z.array(z.object({ name: z.string(), ok: z.boolean(), found: z.string().optional() })),
    argv: z.array(z.string()),
    /** What holds a script to its memory and its number of processes. */
    limits: z.array(z.string()),
    notContained: z.array(z.string()),
  }),
  node: Interpreter,
  python: Interpreter,
  bash: Interpreter,
});
export type DoctorReport = z.infer<typeof DoctorReport>;
