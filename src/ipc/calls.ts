import * as z from 'zod';
import {
  listingChanges,
  listingStatuses,
  opensPageUnasked,
  rawInput,
  routeNames,
  type Listing,
} from '../contract/index.ts';
import type { AppState } from '../core/companion/appState.ts';
import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';
import type { BatchView } from '../core/approvals/batches.ts';
import type { LedgerAlarm } from '../core/approvals/ledger/ledgerAlarm.ts';
import type { ActivityRow } from '../core/assistants/activity.ts';
import type { AssistantView, OfferView, PairingView } from '../core/assistants/assistant.ts';
import type {
  AskingValue,
  ListingCounts,
  ListingPage,
  ListingRow,
} from '../core/storage/tables/listings/listingSearch.ts';
import type { ExportView, OfferedFile } from '../core/companion/dataTasks/fileExports.ts';
import type { LiveDuplicates } from '../core/companion/companionApi.ts';
import type { ListingWarning } from '../core/listings/warningReader.ts';
import type { LastBulkEdit } from '../core/listings/listings.ts';
import type { HostConfirmation, PageLink } from '../core/listings/pageLinks.ts';
import type { FirstReviewedListing } from '../core/storage/tables/listings/listingsTable.ts';
import type { NotificationsView, NotificationView } from '../core/notifications/noticeBoard.ts';
import type { BackupView } from '../core/storage/backupFiles.ts';
import type { ProblemView } from '../core/base/problem.ts';
import { createSettingsChangesSchema, isWeakerChange } from '../core/base/settings.ts';
import { defineIpcCall, createEmptyInputSchema, idShape, type CallState, type Protection } from './call.ts';
import { clientIds, type ClientBundle, type ClientPlan, type ClientSnippets, type ClientView } from './clients.ts';
import { itemCalls } from './itemCalls.ts';
import { proofCalls } from './proofCalls.ts';
import { startCalls } from './startCalls.ts';
import type { SavedFile, ShellState } from './shell.ts';
import type { Asker, Outcome } from '../core/base/request.ts';
import type { DayFees, HistoryRow } from '../core/approvals/ledger/history.ts';

const listingSorts = ['newest', 'oldest', 'cheapest', 'dearest', 'title', 'titleDown', 'status', 'statusDown'] as const;
/** A listing must match all conditions. Times are epoch milliseconds, and prices are in hundredths. */
const listingFilter = z.object({
  q: z.string().max(200).default(''),
  statuses: z.array(z.enum(listingStatuses)).default([]),
  site: idShape.nullable().default(null),
  from: z.int().nullable().default(null),
  to: z.int().nullable().default(null),
  minCents: z.int().nullable().default(null),
  maxCents: z.int().nullable().default(null),
});
const practiceOptions = z.object({ shop: z.enum(['empty', 'stocked']), fresh: z.boolean() }).partial();
const comparedShape = z.union([z.strictObject({ itemId: idShape }), z.strictObject({ listingId: idShape })]);
const shownRow = z.object({ approvalId: idShape, digest: idShape });
const shownRows = z.array(shownRow).max(200);
const drawnRows = z.array(shownRow.extend({ drawnAs: z.enum(['prompt', 'row', 'summary']) })).max(200);
const scope = z.enum(['read', 'draft', 'ask']);
const folders = z.array(z.string().min(1).max(4_000)).max(50);
const perDay = z.int().min(0).nullable();
const pairingAccess = z.object({ scope, folders, publishesPerDay: perDay, moneyCentsPerDay: perDay });
const clientId = z.object({ clientId: z.enum(clientIds) });

/** The notifications with what this computer knows about their listings. */
export type NotificationsPage = Omit<NotificationsView, 'rows'> & {
  rows: (NotificationView & { listing: Pick<ListingRow, 'title' | 'photoUrl' | 'shelf'> | null })[];
};

/** Every call of the window. Electron's IPC and the headless WebSocket both serve this table. */
export const calls = {
  'app.state': defineIpcCall('none', createEmptyInputSchema).answering<AppState>(),
  'app.settings': defineIpcCall(
    'proof',
    createSettingsChangesSchema,
    (changes, { settings }) => !isWeakerChange(settings, changes),
  ).answering<AppState>(),
  /** While the person uses a window, the preparation of photos leaves a processor free for it. */
  'app.used': defineIpcCall('none', createEmptyInputSchema).answering<null>(),
  /** Returns the state of the app in the operating system: autostart, updates and file manager. */
  'app.shell': defineIpcCall('none', createEmptyInputSchema).answering<ShellState>(),
  'app.changeShell': defineIpcCall('none', () =>
    z.object({ startAtLogin: z.boolean().optional(), addFromFileManager: z.boolean().optional() }),
  ).answering<ShellState>(),
  'app.pause': defineIpcCall(
    'proof',
    () => z.object({ paused: z.boolean() }),
    ({ paused }) => paused,
  ).answering<AppState>(),
  /** Only the desktop app can drag photos out of its window. */
  'app.dragOut': defineIpcCall('none', () =>
    z.object({ photoIds: z.array(idShape).min(1).max(100) }),
  ).answering<null>(),
  'app.showLogs': defineIpcCall('none', createEmptyInputSchema).answering<null>(),
  'app.diagnostics': defineIpcCall('none', createEmptyInputSchema).answering<SavedFile>(),
  'app.update': defineIpcCall('none', () =>
    z.object({ act: z.enum(['check', 'load', 'install']) }),
  ).answering<ShellState>(),
  'app.forgetEverything': defineIpcCall('proof', createEmptyInputSchema).answering<null>(),
  /** Returns the page with its host, or null if the companion refuses to open the page. */
  'links.inspect': defineIpcCall('none', () => z.object({ url: z.string().max(4_000) })).answering<PageLink | null>(),
  /**
   * Returns the host to show in a warning before the page is opened. `links.agree` confirms the host and returns the
   * URL.
   */
  'links.ask': defineIpcCall('none', () => z.object({ url: z.string().max(4_000) })).answering<HostConfirmation>(),
  'links.agree': defineIpcCall('none', () => z.object({ questionId: idShape })).answering<Record<'url', string>>(),
  'app.open': defineIpcCall('none', () => z.object({ url: z.url({ protocol: /^https?$/ }) })).answering<null>(),

  'backups.list': defineIpcCall('none', createEmptyInputSchema).answering<BackupView[]>(),
  'backups.make': defineIpcCall('none', createEmptyInputSchema).answering<BackupView[]>(),
  'backups.restore': defineIpcCall('proof', () => z.object({ name: z.string().min(1).max(100) })).answering<{
    isScheduled: boolean;
  }>(),
  'backups.repairSeen': defineIpcCall('proof', createEmptyInputSchema).answering<AppState>(),

  /** Connects to a practice service. Uses the last shop of this kind, or a new shop if `fresh` is true. */
  'connect.practice': defineIpcCall('proof', () => practiceOptions).answering<AppState>(),
  /** The name is used only for a new account. */
  'connect.start': defineIpcCall('none', () =>
    z.object({ email: z.string().min(1).max(254), name: z.string().max(200).optional() }),
  ).answering<{
    challengeId: string;
    termsUrl: string | null;
    privacyUrl: string | null;
  }>(),
  /** Without a proof, connects only the last account, and only if its key no longer works. */
  'connect.verify': defineIpcCall(
    'proof',
    () => z.object({ challengeId: idShape, email: z.string().max(254), code: z.string().max(100) }),
    ({ email }, { canReconnect }) => canReconnect(email),
  ).answering<AppState>(),
  /** Connects with a key that the person typed into a browser. The desktop app uses 'connect.clipboard' instead. */
  'connect.key': defineIpcCall('proof', () => z.object({ key: z.string().max(2_000) })).answering<AppState>(),
  'connect.clipboard': defineIpcCall('proof', createEmptyInputSchema).answering<AppState>(),
  'connect.forget': defineIpcCall('proof', createEmptyInputSchema).answering<AppState>(),

  ...{ ...startCalls, ...itemCalls },

  'listings.search': defineIpcCall('none', () =>
    listingFilter.extend({
      only: z.array(z.string().min(1)).max(200).optional(),
      sort: z.enum(listingSorts).default('newest'),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(200).default(100),
    }),
  ).answering<ListingPage>(),
  'listings.counts': defineIpcCall('none', createEmptyInputSchema).answering<ListingCounts>(),
  'listings.askingValue': defineIpcCall('none', createEmptyInputSchema).answering<AskingValue[]>(),
  /** Reads a listing from the local cache only; null if the cache does not contain it. */
  'listings.kept': defineIpcCall('none', () => z.object({ listingId: idShape })).answering<Listing | null>(),
  /**
   * Returns a listing as it was when it was first ready for review; null if the companion does not know that version.
   */
  'listings.written': defineIpcCall('none', () =>
    z.object({ listingId: idShape }),
  ).answering<FirstReviewedListing | null>(),
  /** Returns why the listing is weak. It is compared with all listings that are not live yet. */
  'listings.warnings': defineIpcCall('none', () => z.object({ listingId: idShape })).answering<
    readonly ListingWarning[]
  >(),
  /** Returns an item or a listing in review, and the live listings that could sell the same thing. */
  'listings.duplicates': defineIpcCall('none', () => comparedShape).answering<LiveDuplicates>(),
  /** Stores that the live listing sells another thing, so that the person is not asked again. */
  'listings.keepDifferent': defineIpcCall('none', () =>
    z.object({ own: comparedShape, liveListingId: idShape }),
  ).answering<null>(),
  /** Returns whether the service did not know the listing when the companion last read it. */
  'listings.isUnknown': defineIpcCall('none', () => z.object({ listingId: idShape })).answering<boolean>(),
  'listings.forgetUnknown': defineIpcCall('none', () => z.object({ listingId: idShape })).answering<null>(),
  /** Stores a bulk edit and the previous values before any request is sent, so that the person can undo the edit. */
  'listings.keepBulkEdit': defineIpcCall('none', () =>
    z.object({
      editId: z.uuid(),
      field: z.string().min(1).max(40),
      rows: z.array(z.object({ listingId: idShape, body: listingChanges, old: listingChanges.nullable() })).max(200),
    }),
  ).answering<null>(),
  'listings.lastBulkEdit': defineIpcCall('none', createEmptyInputSchema).answering<LastBulkEdit | null>(),
  'listings.forgetBulkEdits': defineIpcCall('none', createEmptyInputSchema).answering<null>(),
  /** Starts to read all listings from the service in the background. */
  'listings.again': defineIpcCall('none', createEmptyInputSchema).answering<ListingCounts>(),
  /** Null if the export was cancelled, as for all exports. */
  'listings.export': defineIpcCall('none', () => listingFilter).answering<OfferedFile | null>(),

  'notifications.list': defineIpcCall('none', createEmptyInputSchema).answering<NotificationsPage>(),
  'notifications.viewed': defineIpcCall('none', createEmptyInputSchema).answering<NotificationsPage>(),
  'notifications.read': defineIpcCall('none', () => z.object({ notifId: idShape })).answering<NotificationsPage>(),

  /** Routes that ask need no proof here, because their prompt needs one. A page that needs no prompt connects an account. */
  'service.perform': defineIpcCall(
    'proof',
    () =>
      z.object({
        route: z.enum(routeNames),
        input: rawInput,
        waitId: z.uuid().optional(),
        /** Set if the request adds the quantity of this item to a listing. The item is removed after the request is done. */
        addedItemId: idShape.optional(),
      }),
    ({ route }) => !opensPageUnasked(route),
  ).answering<Outcome>(),
  /** Stops waiting for a request. A request that was already sent can still take effect. */
  'service.stopWaiting': defineIpcCall('none', () => z.object({ waitId: z.uuid() })).answering<null>(),

  'approvals.list': defineIpcCall('none', createEmptyInputSchema).answering<ApprovalView[]>(),
  'approvals.history': defineIpcCall('none', createEmptyInputSchema).answering<ApprovalView[]>(),
  'approvals.get': defineIpcCall('none', () => z.object({ approvalId: idShape })).answering<ApprovalView>(),
  /** Approves only the content with this digest. Returns the approval, or the newer approval that superseded it. */
  'approvals.approve': defineIpcCall('proof', () =>
    z.object({ approvalId: idShape, digest: idShape }),
  ).answering<ApprovalView>(),
  /**
   * Says that the window shows exactly these prompts, and whether a program drives its browser (`navigator.webdriver`).
   * Answers the window session, because a new connection is a new session, which has not shown anything yet.
   */
  'approvals.shown': defineIpcCall('none', () => z.object({ isAutomated: z.boolean(), rows: drawnRows })).answering<{
    windowSession: string;
  }>(),
  'approvals.decline': defineIpcCall('none', () =>
    z.object({
      approvalId: idShape,
      digest: idShape,
      why: z.enum(['no', 'wrong_details', 'not_asked_for']).default('no'),
    }),
  ).answering<ApprovalView>(),

  /** Withdraws an irreversible request during its undo window. */
  'approvals.takeBack': defineIpcCall('none', () => z.object({ approvalId: idShape })).answering<ApprovalView>(),
  /** Unlocks a listing whose last request is still unconfirmed after ten minutes. */
  'approvals.unlock': defineIpcCall('none', () => z.object({ approvalId: idShape })).answering<ApprovalView>(),

  /** Lowers the number of extras and creates a new prompt, which needs its own approval. */
  'approvals.lower': defineIpcCall('none', () =>
    z.object({ approvalId: idShape, digest: idShape, count: z.int().min(1) }),
  ).answering<ApprovalView>(),

  /**
   * Creates one prompt to publish several listings, with one row per listing. If a listing cannot be published, its row
   * contains the reason.
   */
  'batch.ask': defineIpcCall('none', () =>
    z.object({ listingIds: z.array(idShape).min(2).max(200) }),
  ).answering<BatchView>(),
  /** Creates one prompt with one row per change of a live listing. */
  'batch.askFor': defineIpcCall('none', () =>
    z.object({
      requests: z
        .array(
          z.object({
            route: z.enum(['publishListing', 'updateListing', 'reviseListing', 'endListing', 'deleteListing']),
            input: rawInput,
          }),
        )
        .min(2)
        .max(200),
    }),
  ).answering<BatchView>(),
  'batch.list': defineIpcCall('none', createEmptyInputSchema).answering<BatchView[]>(),
  'batch.read': defineIpcCall('none', () => z.object({ batchId: idShape })).answering<BatchView>(),
  /** Withdraws the requests of a batch that are in their undo window, and sends no further requests of the batch. */
  'batch.takeBack': defineIpcCall('none', () => z.object({ batchId: idShape })).answering<BatchView>(),
  /**
   * Approves the ticked rows and declines the unticked rows. Resolves when the companion starts to send the requests.
   */
  'batch.approve': defineIpcCall('proof', () =>
    z.object({ batchId: idShape, rows: shownRows.min(1), unticked: shownRows }),
  ).answering<BatchView>(),
  /** Stops a batch. Requests in flight are finished. */
  'batch.stop': defineIpcCall('none', () => z.object({ batchId: idShape })).answering<BatchView>(),
  /** Declines the rows, and closes the batch if no row is pending. */
  'batch.close': defineIpcCall('none', () => z.object({ batchId: idShape, rows: shownRows })).answering<null>(),

  'history.search': defineIpcCall('none', () =>
    z.object({
      q: z.string().max(200).default(''),
      before: z.int().optional(),
      limit: z.int().min(1).max(200).default(50),
      listingId: idShape.optional(),
      approvalId: idShape.optional(),
      answer: z.enum(['yes', 'no', 'waiting']).optional(),
      /** `person`, or the id of an assistant. */
      askerId: idShape.optional(),
      /** The language of the words about protected calls. */
      language: z.string().max(20).optional(),
    }),
  ).answering<{
    rows: HistoryRow[];
    /** The fees of each day of these rows, also of rows on other pages. */
    fees: DayFees[];
    /** Everyone who has ever asked; on the first page only. */
    askers: Asker[];
    brokenAt: number | null;
    alarm: LedgerAlarm | null;
    /** SHA-256 fingerprint of the public signing key, in hex. */
    signing: { fingerprint: string; keychain: 'system' | 'memory' };
  }>(),
  'history.export': defineIpcCall('record', () =>
    z.object({ format: z.enum(['jsonl', 'csv']) }),
  ).answering<OfferedFile | null>(),
  /** Marks the alarm about a manipulated ledger as read. */
  'history.acknowledge': defineIpcCall('proof', createEmptyInputSchema).answering<AppState>(),
  'receipts.export': defineIpcCall('record', () => z.object({ approvalId: idShape })).answering<SavedFile>(),
  'receipts.exportAll': defineIpcCall('record', createEmptyInputSchema).answering<OfferedFile | null>(),
  /** Returns the running exports. */
  'exports.list': defineIpcCall('none', createEmptyInputSchema).answering<ExportView[]>(),
  'exports.cancel': defineIpcCall('none', () => z.object({ exportId: idShape })).answering<null>(),

  ...proofCalls,

  'assistants.list': defineIpcCall('none', createEmptyInputSchema).answering<{
    assistants: AssistantView[];
    pairings: PairingView[];
  }>(),
  'assistants.accept': defineIpcCall('proof', () =>
    z.object({ pairingId: idShape, access: pairingAccess }),
  ).answering<null>(),
  'assistants.refuse': defineIpcCall('none', () => z.object({ pairingId: idShape })).answering<null>(),
  'assistants.change': defineIpcCall(
    'proof',
    () =>
      z.object({
        assistantId: idShape,
        paused: z.boolean().optional(),
        moneyCentsPerDay: perDay.optional(),
        publishesPerDay: perDay.optional(),
        touches: z.enum(['all', 'own']).optional(),
        scope: scope.optional(),
        shelf: z.boolean().optional(),
        folders: folders.optional(),
      }),
    ({ assistantId, ...changes }, { widensAccess }) => !widensAccess(assistantId, changes),
  ).answering<null>(),
  'assistants.revoke': defineIpcCall('none', () => z.object({ assistantId: idShape })).answering<null>(),
  'assistants.activity': defineIpcCall('none', () => z.object({ assistantId: idShape.optional() })).answering<{
    rows: ActivityRow[];
  }>(),

  /** Returns the set-up texts of each client. Every call creates a new identity for each client. */
  'clients.snippets': defineIpcCall('none', createEmptyInputSchema).answering<ClientSnippets[]>(),
  'clients.bundle': defineIpcCall('none', createEmptyInputSchema).answering<ClientBundle>(),
  'clients.list': defineIpcCall('none', createEmptyInputSchema).answering<ClientView[]>(),
  'clients.plan': defineIpcCall('none', () => clientId).answering<ClientPlan>(),
  /** Writes exactly the planned change and creates a pairing for the client. */
  'clients.connect': defineIpcCall('proof', () => clientId.extend({ planId: idShape })).answering<ClientView[]>(),
  'clients.disconnect': defineIpcCall('none', () => clientId).answering<ClientView[]>(),

  /** An offer is a page that an assistant requested and that only the person may open. */
  'offers.list': defineIpcCall('none', createEmptyInputSchema).answering<OfferView[]>(),
  /** The page can connect a marketplace account or take money. */
  'offers.open': defineIpcCall('proof', () => z.object({ offerId: idShape })).answering<null>(),
  'offers.dismiss': defineIpcCall('none', () => z.object({ offerId: idShape })).answering<null>(),
} as const;

export type Calls = typeof calls;
export type CallName = keyof Calls;
/** The input that a window sends. A field with a default is optional. */
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>;
export type ParsedCallInput<N extends CallName> = z.output<Calls[N]['input']>;
export type CallAnswer<N extends CallName> = NonNullable<Calls[N]['answer']>['value'];

/** The type pairs each call with its name, so that a parsed input matches the function with the same name. */
const protections: {
  readonly [N in CallName]: {
    protection: Protection;
    isFree: (input: ParsedCallInput<N>, state: CallState) => boolean;
  };
} = calls;

/** Returns whether this call needs a proof of the person once one is set up. */
export const isProofNeeded = <N extends CallName>(name: N, input: ParsedCallInput<N>, state: CallState): boolean => {
  const { protection, isFree } = protections[name];
  return protection === 'proof' && !isFree(input, state);
};

type HandlerAnswer<A> = [A] extends [null] ? A | void : A;

/**
 * A missing handler is a compile error. The handler of a call that answers null can return nothing. Handlers approve
 * only requests that come with a window session. `proofId` names the proof of the person.
 */
export type CallHandlers = {
  [N in CallName]: (
    input: ParsedCallInput<N>,
    windowSession?: string,
    proofId?: string,
  ) => HandlerAnswer<CallAnswer<N>> | Promise<HandlerAnswer<CallAnswer<N>>>;
};

/** Errors are sent as data, because an `Error` object loses its fields in transit. */
export type CallReply = { ok: true; value: unknown } | { ok: false; problem: ProblemView };

export type CompanionWindow = {
  host: 'electron' | 'browser';
  /** The path prefix for pictures and `/intake`; empty if the host serves them at the root. */
  base: string;
  /** `proofId` names the proof with which the person confirmed exactly this call. Electron replies with JSON. */
  call: (name: string, input: unknown, proofId?: string) => Promise<CallReply | string>;
  onChanged: (listener: (topic: string) => void) => () => void;
  /** Electron only. Returns the path of a dropped or chosen file, or '' if the file has none. */
  pathOf?: (file: File) => string;
};
