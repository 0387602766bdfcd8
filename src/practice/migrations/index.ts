import { sql as start } from './0001-start.ts';
import { sql as accounts } from './0002-accounts.ts';
import { sql as templatesAndSubscriptions } from './0003-templates-and-subscriptions.ts';
import { sql as channelTexts } from './0004-channel-texts.ts';
import { sql as auctions } from './0005-auctions.ts';

export const migrations: readonly string[] = [start, accounts, templatesAndSubscriptions, channelTexts, auctions];
