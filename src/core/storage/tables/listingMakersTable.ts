import type { Db } from '../database.ts';

export type ListingMakersTable = ReturnType<typeof listingMakersTable>;

/** Which assistant made which draft. */
export const listingMakersTable = (db: Db) => {
  const maker = db.prepare('select 1 from listing_makers where account = ? and listing_id = ? and asker_id = ?');
  const note = db.prepare('insert or ignore into listing_makers (account, listing_id, asker_id) values (?, ?, ?)');
  return {
    isMaker: (account: string, listingId: string, askerId: string): boolean =>
      maker.get(account, listingId, askerId) !== undefined,
    note: (account: string, listingId: string, askerId: string): void => void note.run(account, listingId, askerId),
  };
};
