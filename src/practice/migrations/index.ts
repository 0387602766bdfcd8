import { sql as start } from './0001-start.ts';
import { sql as accounts } from './0002-accounts.ts';
import { sql as drafts } from './0003-drafts.ts';
import { sql as subscriptions } from './0004-subscriptions.ts';

/** Every migration in order; its place in the list is the database's `user_version`. */
export const migrations: readonly string[] = [start, accounts, drafts, subscriptions];
