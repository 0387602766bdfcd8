import type { Listing, RouteName } from '../../contract/index.ts';
import type { Changed, Clock, Log, Notify } from '../ports.ts';
import type { ServiceClient } from '../service/serviceClient.ts';
import type { Settings } from '../settings.ts';
import type { Db } from '../store/database.ts';
import type { Asker, Money } from './approval.ts';
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
  /** Throws when what an assistant wants to spend or publish goes beyond its budget of the day. */
  checkBudget: (by: Asker, route: RouteName, money: Money | null) => void;
  /** Told what the service answered to an approved request. */
  answered: (route: RouteName, answer: unknown) => void;
  /** Forgets a listing that was deleted. */
  forget: (listingId: string) => void;
};
