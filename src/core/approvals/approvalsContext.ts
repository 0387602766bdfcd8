import type { Problem } from '../base/problem.ts';
import type { Listing, RouteName } from '../../contract/index.ts';
import type { NameLikeness } from '../base/similarNames.ts';
import type { BoundPhoto } from '../photos/boundPhotos.ts';
import type { Pacing } from '../service/pacing/pacing.ts';
import type { LostAnswerTracker } from '../service/pacing/lostAnswers.ts';
import type { Changed, Clock, Log, Notify } from '../base/ports.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import type { Settings } from '../base/settings.ts';
import type { Db } from '../storage/database.ts';
import type { PromptMoney } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow, ApprovalsTable } from '../storage/tables/approvalsTable.ts';
import type { ListingsTable } from '../storage/tables/listings/listingsTable.ts';
import type { KnownState } from './checks/knownReads.ts';
import type { OwnWriteTracker } from './checks/ownWrites.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { ListingLockRegistry, LockedClient, SendApproved } from './listingLocks.ts';
import type { VolatileFields } from './subject.ts';
import type { ApprovalProofs } from '../presence/presence.ts';
import type { Reads } from './prompts/promptDefinition.ts';
import type { PageLinkChecker } from '../listings/pageLinks.ts';
import type { Asker } from '../base/request.ts';

export type ApprovalRequest = {
  by: Asker;
  route: RouteName;
  input: unknown;
  reason?: string | undefined;
  batchId?: string | undefined;
  /** The item to remove after the request is done. */
  addedItemId?: string | undefined;
  /** Aborting before the approval is stored cancels the request. */
  signal?: AbortSignal | undefined;
};

export type ApprovalsContext = {
  db: Db;
  table: ApprovalsTable;
  ledger: Ledger;
  /** The check of the database after a crash. Before it has `passed`, nothing can be written. */
  dataCheck: { findProblem: () => Problem | null; passed: Promise<void> };
  /** Only for reads, because `sendApproved` sends the approved requests. */
  client: LockedClient;
  sendApproved: SendApproved;
  locks: ListingLockRegistry;
  ownWrites: OwnWriteTracker;
  volatileFields: VolatileFields;
  clock: Clock;
  /** The age under an approval's id is the time since its prompt was shown. */
  ages: StoredAgeTracker;
  pacing: Pacing;
  lostAnswers: LostAnswerTracker;
  reads: Reads;
  /** The reads for the check after the person approves. They always include a fresh fee quote. */
  readsAtApproval: Reads;
  readsAfterNotice: Reads;
  knownState: KnownState;
  settings: () => Settings;
  /** Returns the id of the connected account; throws NOT_CONNECTED if no account is connected. */
  account: () => string;
  /** Returns a fingerprint of the current key, not the key itself. */
  keyPrint: () => string;
  notify: Notify;
  changed: Changed;
  log: Log;
  listings: Pick<ListingsTable, 'read'>;
  cacheListing: (listing: Listing) => void;
  livePhotos: (listing: Listing) => Promise<BoundPhoto[]>;
  uploads: {
    putting: (listingId: string) => boolean;
    /** Returns whether photos of this listing are being uploaded or upload slots are being requested. */
    inFlight: (listingId: string) => boolean;
    /** Returns whether the person is changing the photos of this listing. */
    changing: (listingId: string) => boolean;
    /** Invalidates all upload slots of this listing. */
    close: (listingId: string) => void;
  };
  /** Throws if the request exceeds the assistant's daily budget. Approvals with an id in `except` do not count. */
  checkBudget: (by: Asker, route: RouteName, money: PromptMoney | null, except?: readonly string[]) => void;
  /** Throws if the asker is paused, revoked or out of scope, or if the route is closed to assistants. */
  checkAsker: (by: Asker, route: RouteName, input: unknown) => void;
  /** Returns why the asker's name can be confused with another name; null if it cannot. */
  findLikeName: (by: Asker) => NameLikeness | null;
  /** Returns whether prompts of this asker appear without a notification and never open by themselves. */
  isQuiet: (by: Asker) => boolean;
  onAnswered: (row: ApprovalRow, answer: unknown) => void;
  proofs: ApprovalProofs;
  pageLinks: Pick<PageLinkChecker, 'noteAnswered'>;
  forgetListing: (listingId: string) => void;
};
