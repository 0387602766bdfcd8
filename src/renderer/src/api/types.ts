import type { AnswerOf } from '../../../contract/index.ts';
import type { CallAnswer } from '../../../ipc/calls.ts';

/** The core's views, by way of the calls that answer them. */
export type AppState = CallAnswer<'app.state'>;
export type ItemView = CallAnswer<'items.get'>;
/** An item as a list shows it. */
export type ItemSummary = CallAnswer<'items.list'>['rows'][number];
export type PhotoView = ItemView['photos'][number];
export type ItemStop = NonNullable<ItemView['stop']>;
export type NextStep = ItemStop['next'][number];
export type Added = CallAnswer<'items.add'>;
export type ApprovalView = CallAnswer<'approvals.get'>;
export type Prompt = ApprovalView['prompt'];
export type Change = Prompt['changes'][number];
export type Fact = Prompt['facts'][number];
export type Money = NonNullable<Prompt['money']>;
export type Assistants = CallAnswer<'assistants.list'>;
export type Assistant = Assistants['assistants'][number];
export type Activity = CallAnswer<'assistants.activity'>['rows'][number];
export type Listing = AnswerOf<'readListing'>;
export type BatchView = CallAnswer<'batch.list'>[number];
export type BatchRow = BatchView['rows'][number];
export type HistoryPage = CallAnswer<'history.search'>;
export type HistoryRow = HistoryPage['rows'][number];
export type ListingCounts = CallAnswer<'listings.counts'>;
export type ListingRow = CallAnswer<'listings.search'>['rows'][number];
export type Standing = AnswerOf<'readStanding'>;
