import type { Listing } from '../../contract/index.ts';
import type { Changed, Clock, Log, Notify } from '../ports.ts';
import type { ServiceClient } from '../service/serviceClient.ts';
import type { Settings } from '../settings.ts';
import type { Db } from '../store/database.ts';
import type { ApprovalsTable } from './approvalsTable.ts';
import type { Ledger } from './ledger.ts';
import type { Reads } from './prompts/prompt.ts';

/** What the parts of the approvals engine share. */
export type ApprovalsContext = {
  db: Db;
  table: ApprovalsTable;
  ledger: Ledger;
  client: ServiceClient;
  clock: Clock;
  reads: Reads;
  settings: () => Settings;
  /** The account that is connected now; throws NOT_CONNECTED. */
  account: () => string;
  notify: Notify;
  changed: Changed;
  log: Log;
  /** Keeps a listing that was read on the way, so that the window shows it at once. */
  keep: (listing: Listing) => void;
  /** Forgets a listing that was deleted. */
  forget: (listingId: string) => void;
};
