import * as z from 'zod';
import type { Db } from '../database.ts';

const row = z.object({
  source: z.string(),
  owned: z.int(),
  path: z.string().nullable(),
  thumb_path: z.string().nullable(),
  done: z.int(),
});

/**
 * The companion's own files that items still need, of every account: prepared photos and copies of originals until a
 * listing has ended or sold, and thumbnails as long as the item is there.
 */
export const neededFiles = (db: Db): Set<string> => {
  const rows = z.array(row).parse(
    db
      .prepare(
        `select photos.source, photos.owned, photos.path, photos.thumb_path,
           (items.step = 'ended' or coalesce(listings.status, '') in ('ended', 'sold')) as done
         from photos join items using (item_id)
         left join listings on listings.account = items.account and listings.listing_id = items.listing_id`,
      )
      .all(),
  );
  return new Set(
    rows.flatMap(({ source, owned, path, thumb_path, done }) => [
      ...(thumb_path === null ? [] : [thumb_path]),
      ...(done === 1 || path === null ? [] : [path]),
      ...(done === 1 || owned === 0 ? [] : [source]),
    ]),
  );
};
