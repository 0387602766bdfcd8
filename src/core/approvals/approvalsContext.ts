import type { Listing, RouteName } from '../../contract/index.ts';
import type { NameLike } from '../base/similarNames.ts';
import type { BoundPhoto } from '../photos/boundPhotos.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { LostAnswers } from '../service/pacing/lostAnswers.ts';
import type { Changed, Clock, Log, Notify } from '../base/ports.ts';
import type { StoredAges } from '../base/storedAges.ts';
import type { Settings } from '../base/settings.ts';
import type { Db } from '../storage/database.ts';
import type { Money } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow, ApprovalsTable } from '../storage/tables/approvalsTable.ts';
import type { ListingsTable } from '../storage/tables/listingsTable.ts';
import type { Known } from './checks/knownReads.ts';
import type { OwnWrites } from './checks/ownWrites.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { ListingLocks, LockedClient, SendApproved } from './listingLocks.ts';
import type { MovingFields } from './subject.ts';
import type { Reads } from './prompts/prompt.ts';
import type { PageLinks } from '../listings/pageLinks.ts';
import type { Asker } from '../base/request.ts';

/** A request that needs the person. One of a batch is shown in the batch's prompt instead of one of its own. */
export type Ask = {
  by: Asker;
  route: RouteName;
  input: unknown;
  reason?: string | undefined;
  batchId?: string | undefined;
  /** Who stops waiting before the question stands there is not asked it. */
  signal?: AbortSignal | undefined;
};

/** What the parts of the approvals engine share. */
export type ApprovalsContext = {
  db: Db;
  table: ApprovalsTable;
  ledger: Ledger;
  /** Reads; what is sent with a yes goes by `sendApproved`. */
  client: LockedClient;
  sendApproved: SendApproved;
  locks: ListingLocks;
  ownWrites: OwnWrites;
  moving: MovingFields;
  clock: Clock;
  /** Ages of stored times; an approval's own, by its id, is since it was shown. */
  ages: StoredAges;
  pacing: Pacing;
  lostAnswers: LostAnswers;
  reads: Reads;
  /** The same for what a yes is held against: with a fee quote of this moment, or of the last seconds. */
  readsAtYes: Reads;
  readsAfterNotice: Reads;
  /** What is known at the service before anybody is asked. */
  known: Known;
  settings: () => Settings;
  /** The account that is connected now; throws NOT_CONNECTED. */
  account: () => string;
  /** Names the key that is used now, without being it. */
  keyPrint: () => string;
  notify: Notify;
  changed: Changed;
  log: Log;
  /** Listings as they were read last. */
  listings: Pick<ListingsTable, 'read'>;
  /** Keeps a listing that was read on the way, so that the window shows it at once. */
  keep: (listing: Listing) => void;
  /** The photos of a listing that is live, by content. */
  livePhotos: (listing: Listing) => Promise<BoundPhoto[]>;
  uploads: {
    /** Whether photos of that listing are being put right now. */
    putting: (listingId: string) => boolean;
    /** The same, or slots for some are being asked for. */
    inFlight: (listingId: string) => boolean;
    /** No slot that was given out for that listing works any more. */
    close: (listingId: string) => void;
  };
  /** Throws when what an assistant wants to spend or publish goes beyond its budget of the day; `except` do not count. */
  checkBudget: (by: Asker, route: RouteName, money: Money | null, except?: readonly string[]) => void;
  /** Throws when this asker may not ask for this now: paused, gone, out of its scope, or no longer given to agents. */
  checkAsker: (by: Asker, route: RouteName, input: unknown) => void;
  /** Why an asker's name is easily taken for another one's. */
  nameLike: (by: Asker) => NameLike | null;
  /** Whether what an asker asks waits without being raised: no notice, and nothing opens by itself. */
  isQuiet: (by: Asker) => boolean;
  /** Told what the service answered to an approved request. */
  answered: (row: ApprovalRow, answer: unknown) => void;
  /** Notes the page that a publish was answered with. */
  pageLinks: Pick<PageLinks, 'noteAnswered'>;
  /** Forgets a listing that was deleted. */
  forget: (listingId: string) => void;
};
