import * as z from 'zod';
import { pathOfScreen } from '../../ipc/screens.ts';

export const linkScheme = 'listing-companion';

/** Plain words between slashes; what comes behind them is not read. */
const shape = new RegExp(`^${linkScheme}://([\\w/-]*)(?:[?#]|$)`);

/** A screen's id, and the id of one thing in it. A link names a place and nothing else: it never does anything. */
const place = z.tuple([
  z.string(),
  z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional(),
]);

/** The place in the window that a link names ("listing-companion://items/it_1"); null when there is no such place. */
export const placeOfLink = (link: string): string | null => {
  const [, path] = shape.exec(link) ?? [];
  const named = place.safeParse(path?.split('/').filter((part) => part !== ''));
  return named.success ? pathOfScreen(...named.data) : null;
};
