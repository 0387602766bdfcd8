import * as z from 'zod';
import type { Db } from './database.ts';

/**
 * `done` is the overall progress of the running items, from 0 to 1. `unwritten` counts the started items whose generation
 * is not requested yet.
 */
export type RunningWork = { running: number; unwritten: number; done: number };

const row = z.object({
  step: z.enum(['photos', 'draft', 'upload', 'line', 'writing']),
  items: z.int(),
  started: z.int(),
  photos: z.int(),
  prepared: z.int(),
  uploaded: z.int(),
});
type Row = z.infer<typeof row>;
const workRows = z.array(row);

const computeShare = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** The progress of an item, from 0 to 1. A generation takes about as long as all steps before it. */
const stepProgress: Record<Row['step'], (row: Row) => number> = {
  photos: ({ prepared, photos }) => 0.25 * computeShare(prepared, photos),
  draft: () => 0.25,
  upload: ({ uploaded, photos }) => 0.3 + 0.2 * computeShare(uploaded, photos),
  line: () => 0.5,
  writing: () => 0.6,
};

/** Returns a function that counts the running items of an account with one query. */
export const createRunningItemCounter = (db: Db): ((account: string) => RunningWork) => {
  const count = db.prepare(`
    select i.step as step, count(distinct i.item_id) as items,
      count(distinct case when i.review_reason is null or i.review_reason = 'reviewed' then i.item_id end) as started, count(p.photo_id) as photos,
      count(case when p.state <> 'waiting' then 1 end) as prepared, count(p.uploaded_at) as uploaded
    from items i left join photos p on p.item_id = i.item_id and p.removed_at is null
    where i.account = ? and i.stop is null and i.step in ('photos', 'draft', 'upload', 'line', 'writing')
    group by i.step`);
  return (account) => {
    const rows = workRows.parse(count.all(account));
    const running = rows.reduce((sum, { items }) => sum + items, 0);
    return {
      running,
      unwritten: rows.reduce((sum, { step, started }) => sum + (step === 'writing' ? 0 : started), 0),
      done: computeShare(
        rows.reduce((sum, one) => sum + one.items * stepProgress[one.step](one), 0),
        running,
      ),
    };
  };
};
