import * as z from 'zod';
import { messageShape } from '../../../base/messages.ts';
import { type Db, createJsonColumn, createRowInserter, createRowUpdater, textValues } from '../../database.ts';

/** In these stages, requests for the photos are being sent or can still be sent. */
const runningPhotoChangeStages = ['preparing', 'checking', 'sending'] as const;

export const photoChangeStages = [
  /** Nothing is sent before the person confirms the draft. */
  'draft',
  ...runningPhotoChangeStages,
  /** The listing shows the new photos. */
  'taken',
  /** The listing still shows the photos that it had. */
  'ignored',
  /** The listing shows some of the new photos. */
  'mixed',
  /** The listing had other photos than the item, so nothing was sent. */
  'differs',
  /** The listing left the review, so its photos can no longer be changed. */
  'left',
  /** The photos of the listing cannot be read, so the outcome is unknown. */
  'unknown',
] as const;
export type PhotoChangeStage = (typeof photoChangeStages)[number];

const photoIds = createJsonColumn(z.array(z.string()));
const hashes = createJsonColumn(z.array(z.string()));

const photoChangeRow = z.object({
  item_id: z.string(),
  account: z.string(),
  listing_id: z.string(),
  stage: z.enum(photoChangeStages),
  /** The photos that the listing had, in order. */
  before: photoIds,
  /** The photos that the listing must get, in order. */
  wished: photoIds,
  /** How often the photos that differ were sent. */
  rounds: z.int(),
  /** 1 if the person cancelled the change, so that the listing must get its former photos. */
  cancelled: z.int(),
  /** The SHA-256 in hex of each photo that the listing showed before the first photo was sent. */
  baseline: hashes,
  /** The SHA-256 in hex of each photo that the listing showed at the last read. */
  shown: hashes,
  /** Why the service refused the photos, or why they cannot be read. */
  problem: createJsonColumn(z.object({ sentence: z.string(), says: messageShape.optional() })).nullable(),
});
export type PhotoChangeRow = z.infer<typeof photoChangeRow>;
type NewPhotoChange = Pick<PhotoChangeRow, 'item_id' | 'account' | 'listing_id' | 'before' | 'wished'>;

/** Creates the table of photo changes. Every change is on disk before the call returns. */
export const createPhotoChangesTable = (db: Db) => {
  const one = db.prepare('select * from photo_changes where item_id = ?');
  const remove = db.prepare('delete from photo_changes where item_id = ?');
  const isRunning = runningPhotoChangeStages.map((stage) => `'${stage}'`).join(', ');
  const running = db.prepare(`select item_id from photo_changes where account = ? and stage in (${isRunning})`).pluck();
  const ofListing = db
    .prepare(`select 1 from photo_changes where account = ? and listing_id = ? and stage in (${isRunning})`)
    .pluck();
  const insertRow = createRowInserter(db, 'photo_changes');
  const update = createRowUpdater(db, 'photo_changes', 'item_id');
  return {
    read: (itemId: string): PhotoChangeRow | null => {
      const found = one.get(itemId);
      return found === undefined ? null : photoChangeRow.parse(found);
    },
    /** Stores a draft. It replaces an earlier change of the item. */
    draft: db.transaction((change: NewPhotoChange): void => {
      remove.run(change.item_id);
      insertRow({ ...change, stage: 'draft' });
    }),
    change: (itemId: string, changes: Partial<Omit<PhotoChangeRow, 'item_id'>>): void => update(changes, itemId),
    remove: (itemId: string): void => void remove.run(itemId),
    /** Returns the items whose photos are being changed. */
    listRunning: (account: string): string[] => textValues.parse(running.all(account)),
    isRunning: (account: string, listingId: string): boolean => ofListing.get(account, listingId) !== undefined,
  };
};

/** Returns whether requests for the photos are being sent or can still be sent. */
export const isRunningChange = (change: Pick<PhotoChangeRow, 'stage'> | null): boolean =>
  runningPhotoChangeStages.some((stage) => stage === change?.stage);

/** Returns whether photos were sent and the listing might show other photos than before. */
export const isUnsettledChange = (change: Pick<PhotoChangeRow, 'stage' | 'rounds' | 'cancelled'> | null): boolean =>
  change?.stage === 'mixed' || (change?.stage === 'unknown' && (change.rounds > 0 || change.cancelled === 1));
