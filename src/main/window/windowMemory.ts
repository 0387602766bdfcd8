import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

const side = z.int().min(200).max(20_000);
const place = z.int().min(-100_000).max(100_000);

/** What the window was like when it was last seen. A field that cannot be used is as if it had never been kept. */
const memory = z.object({
  bounds: z.object({ x: place, y: place, width: side, height: side }).nullable().catch(null),
  maximized: z.boolean().catch(false),
  /** Electron's zoom level: 0 is 100 %, each step a fifth more. */
  zoom: z.number().min(-4).max(6).catch(0),
  /** Whether the person has been told that a closed window leaves the companion running. */
  trayExplained: z.boolean().catch(false),
});
export type WindowMemory = z.infer<typeof memory>;

export type WindowMemoryStore = {
  now: () => WindowMemory;
  /** Keeps the changes on the disk, if there are any. */
  change: (changes: Partial<WindowMemory>) => void;
};

const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
};

/** Keeps the window's place and looks in a small file. What cannot be read or written costs the memory, not the start. */
export const createWindowMemory = (path: string): WindowMemoryStore => {
  const parsed = memory.safeParse(readJson(path));
  let now = parsed.success ? parsed.data : memory.parse({});
  return {
    now: () => now,
    change: (changes) => {
      const next = { ...now, ...changes };
      if (JSON.stringify(next) === JSON.stringify(now)) return;
      now = next;
      try {
        writeFileSync(`${path}.part`, JSON.stringify(now), { mode: 0o600 });
        renameSync(`${path}.part`, path);
      } catch {
        // A full disk: the window opens where it did before.
      }
    },
  };
};
