import type { RouteName } from '../../contract/index.ts';
import type { Asker } from '../approvals/approval.ts';
import { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import type { Assistants } from './assistants.ts';

export type Scope = ReturnType<typeof createScope>;

/** Which listings an assistant may touch: all, or only those that it made itself. */
export const createScope = (db: Db, account: () => string, limits: Assistants['limits']) => {
  const maker = db.prepare('select 1 from listing_makers where account = ? and listing_id = ? and asker_id = ?');
  const note = db.prepare('insert or ignore into listing_makers (account, listing_id, asker_id) values (?, ?, ?)');
  const mayTouch = (by: Asker, listingId: string): boolean =>
    by.kind === 'person' ||
    limits(by.assistantId)?.touches !== 'own' ||
    maker.get(account(), listingId, by.assistantId) !== undefined;
  return {
    mayTouch,
    /** Throws when the request is about a listing that this assistant did not make and may not touch. */
    check: (by: Asker, input: { params?: Record<string, string> | undefined; body?: unknown }): void => {
      const { body } = input;
      const named = body !== null && typeof body === 'object' && 'listingId' in body ? body.listingId : undefined;
      const listingId = input.params?.['listingId'] ?? named;
      if (typeof listingId !== 'string' || mayTouch(by, listingId)) return;
      throw new Problem(
        'NOT_YOUR_LISTING',
        'The person lets this assistant work only with listings that it made itself.',
      );
    },
    /** Remembers who made a draft. */
    made: (by: Asker, route: RouteName, listingId: string): void => {
      if (by.kind === 'assistant' && route === 'createListing') note.run(account(), listingId, by.assistantId);
    },
  };
};
