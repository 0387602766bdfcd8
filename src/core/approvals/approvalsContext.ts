import type { Listing, RouteName } from '../../contract/index.ts';
import type { NameLikeness } from '../base/similarNames.ts';
import type { BoundPhoto } from '../photos/boundPhotos.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { LostAnswers } from '../service/pacing/lostAnswers.ts';
import type { Changed, Clock, Log, Notify } from '../base/ports.ts';
import type { StoredAges } from '../base/storedAges.ts';
import type { Settings } from '../base/settings.ts';
import type { Db } from '../storage/database.ts';
import type { PromptMoney } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow, ApprovalsTable } from '../storage/tables/approvalsTable.ts';
import type { ListingsTable } from '../storage/tables/listingsTable.ts';
import type { KnownState } from './checks/knownReads.ts';
import type { OwnWrites } from './checks/ownWrites.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { ListingLocks, LockedClient, SendApproved } from './listingLocks.ts';
import type { MovingFields } from './subject.ts';
import type { Reads } from './prompts/promptAct.ts';
import type { PageLinks } from '../listings/pageLinks.ts';
import type { Asker } from '../base/request.ts';

/** A request that needs the person's approval. A request of a batch is shown in the batch's prompt. */
export type ApprovalRequest = {
  by: Asker;
  route: RouteName;
  input: unknown;
  reason?: string | undefined;
  batchId?: string | undefined;
  /** Aborting before the approval is stored cancels the request. */
  signal?: AbortSignal | undefined;
};

/** The dependencies that the parts of the approvals engine share. */
export type ApprovalsContext = {
  db: Db;
  table: ApprovalsTable;
  ledger: Ledger;
  /** For reads only; approved requests are sent with `sendApproved`. */
  client: LockedClient;
  sendApproved: SendApproved;
  locks: ListingLocks;
  ownWrites: OwnWrites;
  moving: MovingFields;
  clock: Clock;
  /** Ages of stored times. The age under an approval's id counts from when it was shown. */
  ages: StoredAges;
  pacing: Pacing;
  lostAnswers: LostAnswers;
  reads: Reads;
  /** Reads for the check after the person approves, with a fee quote that is at most a few seconds old. */
  readsAtApproval: Reads;
  readsAfterNotice: Reads;
  /** What is known of the service before the person is asked. */
  knownState: KnownState;
  settings: () => Settings;
  /** Returns the connected account; throws NOT_CONNECTED. */
  account: () => string;
  /** Returns a fingerprint of the current key, not the key itself. */
  keyPrint: () => string;
  notify: Notify;
  changed: Changed;
  log: Log;
  /** Listings as they were last read. */
  listings: Pick<ListingsTable, 'read'>;
  /** Caches a listing that was read, so that the window shows it at once. */
  cacheListing: (listing: Listing) => void;
  /** Returns the photos of a live listing, by content. */
  livePhotos: (listing: Listing) => Promise<BoundPhoto[]>;
  uploads: {
    /** Whether photos of that listing are being uploaded now. */
    putting: (listingId: string) => boolean;
    /** The same, or upload slots are being requested. */
    inFlight: (listingId: string) => boolean;
    /** Invalidates all upload slots of that listing. */
    close: (listingId: string) => void;
  };
  /** Throws if a request of an assistant exceeds its daily budget; approvals in `except` do not count. */
  checkBudget: (by: Asker, route: RouteName, money: PromptMoney | null, except?: readonly string[]) => void;
  /**
   * Throws if this asker may not request this now: it is paused, revoked or out of scope, or the route is closed to
   * assistants.
   */
  checkAsker: (by: Asker, route: RouteName, input: unknown) => void;
  /** Returns why an asker's name can be confused with another asker's. */
  findLikeName: (by: Asker) => NameLikeness | null;
  /** Whether prompts of this asker appear without a notification and never open by themselves. */
  isQuiet: (by: Asker) => boolean;
  /** Called with the service's answer to an approved request. */
  onAnswered: (row: ApprovalRow, answer: unknown) => void;
  /** Records the page that a publish returned. */
  pageLinks: Pick<PageLinks, 'noteAnswered'>;
  /** Removes a deleted listing from the cache. */
  forgetListing: (listingId: string) => void;
};
