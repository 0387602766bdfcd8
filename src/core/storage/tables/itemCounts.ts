import * as z from 'zod';
import type { Db } from '../database.ts';

/** How many items are on their way by themselves, and how far they are together: 0 to 1. */
export type Work = { running: number; done: number };

const row = z.object({
  step: z.enum(['photos', 'draft', 'upload', 'line', 'writing']),
  items: z.int(),
  photos: z.int(),
  prepared: z.int(),
  uploaded: z.int(),
});
type Row = z.infer<typeof row>;

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** How far an item in a step is, all in all. Writing takes about as long as everything before it. */
const reached: Record<Row['step'], (row: Row) => number> = {
  photos: ({ prepared, photos }) => 0.25 * share(prepared, photos),
  draft: () => 0.25,
  upload: ({ uploaded, photos }) => 0.3 + 0.2 * share(uploaded, photos),
  line: () => 0.5,
  writing: () => 0.6,
};

/** Counts the items of an account that are on their way, without reading each of them. */
export const workCounter = (db: Db): ((account: string) => Work) => {
  const count = db.prepare(`
    select i.step as step, count(distinct i.item_id) as items, count(p.photo_id) as photos,
      count(case when p.state <> 'waiting' then 1 end) as prepared, count(p.uploaded_at) as uploaded
    from items i left join photos p on p.item_id = i.item_id and p.removed_at is null
    where i.account = ? and i.stop is null and i.step in ('photos', 'draft', 'upload', 'line', 'writing')
    group by i.step`);
  return (account) => {
    const rows = z.array(row).parse(count.all(account));
    const running = rows.reduce((sum, { items }) => sum + items, 0);
    return {
      running,
      done: share(
        rows.reduce((sum, one) => sum + one.items * reached[one.step](one), 0),
        running,
      ),
    };
  };
};
