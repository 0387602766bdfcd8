import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import * as z from 'zod';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { realOf } from './openInside.ts';

const place = z.object({ folder: z.string(), real: z.string() });
/** A watched folder by the path that was chosen, and where that led, every link followed, when it was chosen. */
export type Place = z.infer<typeof place>;
const name = 'watched place';

const realNow = (path: string): string | null => {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
};

/** Where a path leads; what is not there yet is taken to come as a plain folder, so that a link that comes instead shows. */
const leadsTo = (folder: string): string => {
  for (let at = folder; ; at = dirname(at)) {
    const real = realNow(at);
    if (real !== null) return join(real, relative(at, folder));
    if (at === dirname(at)) return folder;
  }
};

const placeOf = (given: string): Place => {
  // A path that does not begin at the root is never watched.
  if (!isAbsolute(given)) return { folder: given, real: given };
  const folder = resolve(given);
  return { folder, real: leadsTo(folder) };
};

/** Keeps where the watched folder led when the person chose it: a link that comes later does not move it. */
export const watchedPlaces = (settings: SettingsTable) => {
  const read = (): Place | null => settings.read(name, place);
  const keep = (made: Place): Place => {
    settings.write(name, made);
    return made;
  };
  return {
    /** Notes what the person gives. Answers null when that is nothing, or what is watched already. */
    choose: (given: string | null | undefined): { place: Place | null } | null => {
      if (given === undefined) return null;
      if (given === null) {
        settings.remove(name);
        return { place: null };
      }
      const [before, made] = [read(), placeOf(given)];
      if (before?.folder === made.folder && before.real === made.real) return null;
      return { place: keep(made) };
    },
    /** The place of the folder in the settings. One that was chosen before places were kept is taken as it is, once. */
    kept: (given: string | null): Place | null => {
      if (given === null) return null;
      const [before, folder] = [read(), isAbsolute(given) ? resolve(given) : given];
      return before?.folder === folder ? before : keep(placeOf(given));
    },
  };
};

/** Whether the folder is there, and where it was when it was chosen: looked at anew each time. */
export const whereIs = async ({ folder, real }: Place): Promise<'there' | 'gone' | 'elsewhere'> => {
  const now = isAbsolute(folder) ? await realOf(folder) : null;
  if (now === null) return 'gone';
  if (now !== real) return 'elsewhere';
  return (await stat(real).catch(() => null))?.isDirectory() ? 'there' : 'gone';
};
