import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Db } from '../../src/core/storage/database.ts';
import { computeStoredSection } from '../../src/core/storage/tables/itemsTable.ts';
import type { ItemError, Step } from '../../src/core/storage/tables/itemRecord.ts';

const photosEach = 3;
/** The steps of ten consecutive items, in the proportions of a busy seller. */
const stepsInTurn: readonly Step[] = [
  'review',
  'live',
  'live',
  'ended',
  'review',
  'live',
  'arranging',
  'live',
  'review',
  'photos',
];
/** The reason of a stopped item. */
const stop: ItemError = {
  kind: 'failed',
  code: 'OFFLINE',
  sentence: 'The service could not be reached. Nothing is lost.',
  next: ['retry', 'remove'],
};
const barcodes = [{ value: '9780306406157', format: 'EAN-13' }];
const slot = { slotId: 'slot', uploadUrl: `https://storage.example/${'p'.repeat(300)}` };

/**
 * Adds items of every kind to a database, with their photos and listings, newest first. Items in the step `photos` are
 * stopped, so that none of them is resumed.
 */
export const addManyItems = (db: Db, account: string, count: number): void => {
  const item = db.prepare(`insert into items (item_id, account, name, note, by, step, stop, idempotency_key, draft_body,
      draft_sent_at, listing_id, review_reason, section, created_at, updated_at)
    values (@id, @account, @name, @note, '{"kind":"person"}', @step, @stop, @id, @body, @sent, @listing, @reason, @section, @at, @at)`);
  const photo = db.prepare(`insert into photos (photo_id, item_id, position, name, source, state, path, thumb_path,
      content_type, width, height, bytes, slot, slot_at, uploaded_at, sha256, barcodes)
    values (@id, @item, @at, @name, @name, 'ready', @name, @name, 'image/jpeg', 1600, 1200, 240000, @slot, @slotAt,
      @slotAt, @sha, @barcodes)`);
  const listing = db.prepare(`insert into listing_keys (account, listing_id, status, title, listed_at)
    values (?, ?, 'pending_review', ?, 0)`);
  const listingJson = db.prepare(
    `insert into listings (account, listing_id, status, title, json, changed_at) values (?, ?, 'pending_review', ?, ?, 0)`,
  );
  db.transaction(() => {
    for (let at = 0; at < count; at += 1) {
      const step = stepsInTurn[at % 10] ?? 'live';
      const id = `it_many_${at}`;
      const early = step === 'photos' || step === 'arranging';
      const listingId = early ? null : `lst_many_${at}`;
      const title = `Blue film camera no. ${at}, tested, with its leather case and strap`;
      item.run({
        ...{ id, account, step, name: `thing ${at}`, note: 'From the attic. '.repeat(10), at: 1_700_000_000_000 - at },
        ...{ listing: listingId, reason: step === 'arranging' ? 'grouped' : null, sent: early ? null : 1 },
        section: computeStoredSection({
          step,
          stop: step === 'photos' ? stop : null,
          review_reason: step === 'arranging' ? 'grouped' : null,
          checked_at: null,
        }),
        stop: step === 'photos' ? JSON.stringify(stop) : null,
        body: early ? null : JSON.stringify({ quantity: 1, additionalContext: 'From the attic. '.repeat(10) }),
      });
      if (listingId !== null) {
        listing.run(account, listingId, title);
        const description = '<p>In good condition, kept in a smoke-free home.</p>'.repeat(10);
        listingJson.run(
          ...[account, listingId, title],
          JSON.stringify({ listingId, status: 'pending_review', title, description }),
        );
      }
      for (let nth = 0; nth < photosEach; nth += 1)
        photo.run({
          ...{ id: `ph_many_${at}_${nth}`, item: id, at: nth, name: `/photos of/thing ${at}/IMG_${nth}.jpg` },
          ...{ slot: early ? null : JSON.stringify(slot), slotAt: early ? null : 1 },
          ...{ sha: `${at}`.padStart(64, 'a'), barcodes: JSON.stringify(nth === 0 ? barcodes : []) },
        });
    }
  })();
};

/** Adds the items to the data folder of a running companion, for its connected account. */
export const addManyItemsTo = (dataDir: string, account: string, count: number): void => {
  const db = new Database(join(dataDir, 'companion.db'));
  try {
    addManyItems(db, account, count);
  } finally {
    db.close();
  }
};

/** Returns the account that is connected in a data folder. */
export const readAccount = (dataDir: string): string => {
  const db = new Database(join(dataDir, 'companion.db'), { readonly: true });
  try {
    const [row] = db.prepare("select value from settings where name like 'connection %'").pluck().all();
    return (JSON.parse(String(row)) as { account: string }).account;
  } finally {
    db.close();
  }
};
