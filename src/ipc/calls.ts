import * as z from 'zod';
import { listingChanges, listingStatuses, rawInput, routeNames, type Listing } from '../contract/index.ts';
import type { AppState } from '../core/companion/appState.ts';
import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';
import type { BatchView } from '../core/approvals/batches.ts';
import type { LedgerAlarm } from '../core/approvals/ledger/ledgerAlarm.ts';
import type { ActivityRow } from '../core/assistants/activity.ts';
import type { AssistantView, OfferView, PairingView } from '../core/assistants/assistant.ts';
import type { ListingCounts, ListingPage } from '../core/storage/tables/listingSearch.ts';
import type { LastBulkEdit } from '../core/listings/listings.ts';
import type { HostConfirmation, PageLink } from '../core/listings/pageLinks.ts';
import type { FirstReviewedListing } from '../core/storage/tables/listingsTable.ts';
import type { NotificationsView } from '../core/notifications/noticeBoard.ts';
import type { BackupView } from '../core/storage/backups.ts';
import type { ProblemView } from '../core/base/problem.ts';
import { languageCodes } from '../i18n/languages.ts';
import { defineIpcCall, createEmptyInput } from './call.ts';
import { clientIds, type ClientBundle, type ClientPlan, type ClientSnippets, type ClientView } from './clients.ts';
import { itemCalls } from './itemCalls.ts';
import type { SavedFile, ShellState } from './shell.ts';
import type { Outcome } from '../core/base/request.ts';
import type { HistoryRow } from '../core/approvals/ledger/history.ts';

const listingSorts = ['newest', 'oldest', 'cheapest', 'dearest', 'title', 'titleDown', 'status', 'statusDown'] as const;
/**
 * A filter for the listings on this machine; all conditions must match. Times are epoch milliseconds, money is in
 * hundredths.
 */
const listingFilter = z.object({
  q: z.string().max(200).default(''),
  statuses: z.array(z.enum(listingStatuses)).default([]),
  site: z.string().nullable().default(null),
  from: z.int().nullable().default(null),
  to: z.int().nullable().default(null),
  minCents: z.int().nullable().default(null),
  maxCents: z.int().nullable().default(null),
});
const approvalId = z.string().min(1);
const practiceOptions = z.object({ shop: z.enum(['empty', 'stocked']), fresh: z.boolean() }).partial();
/** Rows of a batch, each with its approval and the digest of the content shown. */
const shownRows = z.array(z.object({ approvalId, digest: z.string().min(1) })).max(200);
const scope = z.enum(['read', 'draft', 'ask']);
/** Absolute paths of the folders whose photos an assistant may use. */
const folders = z.array(z.string().min(1).max(4_000)).max(50);
const perDay = z.int().min(0).nullable();
/** The access of an assistant; money in US cents per day, null means no limit. */
const pairingAccess = z.object({ scope, folders, publishesPerDay: perDay, moneyCentsPerDay: perDay });
const clientId = z.object({ clientId: z.enum(clientIds) });

/** All calls of the screens. Electron's IPC and the headless WebSocket serve the same table. */
export const calls = {
  'app.state': defineIpcCall(createEmptyInput).answering<AppState>(),
  'app.settings': defineIpcCall(() =>
    z.object({
      theme: z.enum(['system', 'light', 'dark']).optional(),
      tourSeen: z.boolean().optional(),
      language: z.enum(['system', ...languageCodes]).optional(),
      longEdgePx: z.int().min(1280).max(2400).optional(),
      photoFormat: z.enum(['jpeg', 'webp']).optional(),
      /** An absolute path. Files already in the folder are not imported. Null stops watching. */
      watchFolder: z.string().min(1).max(4_000).nullable().optional(),
      groupingReview: z.boolean().optional(),
      deferDrops: z.boolean().optional(),
      useFolderTexts: z.boolean().optional(),
      approvalMinutes: z.int().min(1).max(1440).optional(),
      publishFromNotificationMinor: z.int().min(0).max(100_000).nullable().optional(),
      marketplaceId: z
        .string()
        .regex(/^MKT_[A-Z]+$/)
        .nullable()
        .optional(),
      marketAccountId: z.string().min(1).max(200).nullable().optional(),
      /** '' means no template. Null leaves `templateId` to the service and `watchTemplateId` to `templateId`. */
      templateId: z.string().max(200).nullable().optional(),
      watchTemplateId: z.string().max(200).nullable().optional(),
      notify: z
        .object({ approvals: z.boolean(), written: z.boolean(), sales: z.boolean(), connection: z.boolean() })
        .partial()
        .optional(),
    }),
  ).answering<AppState>(),
  /** Returns the state of the app in the operating system: autostart, updates and file manager. */
  'app.shell': defineIpcCall(createEmptyInput).answering<ShellState>(),
  'app.changeShell': defineIpcCall(() =>
    z.object({ startAtLogin: z.boolean().optional(), addFromFileManager: z.boolean().optional() }),
  ).answering<ShellState>(),
  /** Pauses or resumes all new work. */
  'app.pause': defineIpcCall(() => z.object({ paused: z.boolean() })).answering<AppState>(),
  /** Starts dragging prepared photos out of the window; desktop app only. */
  'app.dragOut': defineIpcCall(() =>
    z.object({ photoIds: z.array(z.string().min(1).max(100)).min(1).max(100) }),
  ).answering<null>(),
  'app.showLogs': defineIpcCall(createEmptyInput).answering<null>(),
  /** Writes a diagnostics file that the person can read and send to support. */
  'app.diagnostics': defineIpcCall(createEmptyInput).answering<SavedFile>(),
  'app.update': defineIpcCall(() => z.object({ act: z.enum(['check', 'load', 'install']) })).answering<ShellState>(),
  /** Deletes all data on this computer, including the key, and quits the app. */
  'app.forgetEverything': defineIpcCall(createEmptyInput).answering<null>(),
  /** Returns how an external page may be opened, or null if it may not. */
  'links.inspect': defineIpcCall(() => z.object({ url: z.string().max(4_000) })).answering<PageLink | null>(),
  /** Returns a warning about a page on an unknown host; `links.agree` confirms it and returns the page. */
  'links.ask': defineIpcCall(() => z.object({ url: z.string().max(4_000) })).answering<HostConfirmation>(),
  'links.agree': defineIpcCall(() => z.object({ questionId: z.string().max(100) })).answering<{ url: string }>(),
  'app.open': defineIpcCall(() => z.object({ url: z.url({ protocol: /^https?$/ }) })).answering<null>(),

  /** Backups of the local data. */
  'backups.list': defineIpcCall(createEmptyInput).answering<BackupView[]>(),
  'backups.make': defineIpcCall(createEmptyInput).answering<BackupView[]>(),
  /** Restores a backup at the next start. */
  'backups.restore': defineIpcCall(() => z.object({ name: z.string().min(1).max(100) })).answering<null>(),
  /** Marks the notice about repaired data as read. */
  'backups.repairSeen': defineIpcCall(createEmptyInput).answering<AppState>(),

  /** Connects to practice: with the shop of this kind that was used last, or, if `fresh`, with an unused shop. */
  'connect.practice': defineIpcCall(() => practiceOptions).answering<AppState>(),
  /** The name is used only for a new account. */
  'connect.start': defineIpcCall(() =>
    z.object({ email: z.string().min(1).max(254), name: z.string().max(200).optional() }),
  ).answering<{
    challengeId: string;
    termsUrl: string | null;
    privacyUrl: string | null;
  }>(),
  'connect.verify': defineIpcCall(() =>
    z.object({ challengeId: z.string(), email: z.string(), code: z.string() }),
  ).answering<AppState>(),
  /**
   * Connects with a key from the web settings that was typed into a browser. The desktop app reads the clipboard
   * instead.
   */
  'connect.key': defineIpcCall(() => z.object({ key: z.string().max(2_000) })).answering<AppState>(),
  'connect.clipboard': defineIpcCall(createEmptyInput).answering<AppState>(),
  'connect.forget': defineIpcCall(createEmptyInput).answering<AppState>(),

  ...itemCalls,

  'listings.search': defineIpcCall(() =>
    listingFilter.extend({
      sort: z.enum(listingSorts).default('newest'),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(200).default(100),
    }),
  ).answering<ListingPage>(),
  'listings.counts': defineIpcCall(createEmptyInput).answering<ListingCounts>(),
  /** Reads a listing from the local cache without a request to the service; null if it is unknown. */
  'listings.kept': defineIpcCall(() => z.object({ listingId: z.string().min(1) })).answering<Listing | null>(),
  /** Reads a listing as it first became ready for review. */
  'listings.written': defineIpcCall(() =>
    z.object({ listingId: z.string().min(1) }),
  ).answering<FirstReviewedListing | null>(),
  /** Returns whether the service did not know the listing at the last read. */
  'listings.isUnknown': defineIpcCall(() => z.object({ listingId: z.string().min(1) })).answering<boolean>(),
  /** Deletes an unknown listing from the cache, unless an item refers to it. */
  'listings.forgetUnknown': defineIpcCall(() => z.object({ listingId: z.string().min(1) })).answering<null>(),
  /** Stores a bulk edit with the previous values before anything is sent, so that it can be undone. */
  'listings.keepBulkEdit': defineIpcCall(() =>
    z.object({
      editId: z.uuid(),
      field: z.string().min(1).max(40),
      rows: z
        .array(z.object({ listingId: z.string().min(1), body: listingChanges, old: listingChanges.nullable() }))
        .max(200),
    }),
  ).answering<null>(),
  'listings.lastBulkEdit': defineIpcCall(createEmptyInput).answering<LastBulkEdit | null>(),
  'listings.forgetBulkEdits': defineIpcCall(createEmptyInput).answering<null>(),
  /** Reads all listings from the service again, in the background. */
  'listings.again': defineIpcCall(createEmptyInput).answering<ListingCounts>(),
  'listings.export': defineIpcCall(() => listingFilter).answering<SavedFile>(),

  /** Returns the service's notifications from the last read. */
  'notifications.list': defineIpcCall(createEmptyInput).answering<NotificationsView>(),
  'notifications.viewed': defineIpcCall(createEmptyInput).answering<NotificationsView>(),
  'notifications.read': defineIpcCall(() =>
    z.object({ notifId: z.string().min(1).max(200) }),
  ).answering<NotificationsView>(),

  /** Performs a request of the person, on any route of the interface. */
  'service.perform': defineIpcCall(() =>
    z.object({ route: z.enum(routeNames), input: rawInput, waitId: z.uuid().optional() }),
  ).answering<Outcome>(),
  /** Stops waiting for the request with this id. A request that was already sent may still take effect. */
  'service.stopWaiting': defineIpcCall(() => z.object({ waitId: z.uuid() })).answering<null>(),

  'approvals.list': defineIpcCall(createEmptyInput).answering<ApprovalView[]>(),
  'approvals.history': defineIpcCall(createEmptyInput).answering<ApprovalView[]>(),
  'approvals.get': defineIpcCall(() => z.object({ approvalId })).answering<ApprovalView>(),
  /** Approves exactly the content shown. Returns the approval, or the approval that superseded it. */
  'approvals.approve': defineIpcCall(() =>
    z.object({ approvalId, digest: z.string().min(1) }),
  ).answering<ApprovalView>(),
  'approvals.decline': defineIpcCall(() =>
    z.object({
      approvalId,
      digest: z.string().min(1),
      why: z.enum(['no', 'wrong_details', 'not_asked_for']).default('no'),
    }),
  ).answering<ApprovalView>(),

  /** Withdraws an irreversible act within its undo window. */
  'approvals.takeBack': defineIpcCall(() => z.object({ approvalId })).answering<ApprovalView>(),
  /** Unlocks a listing whose last act is still unconfirmed after ten minutes. */
  'approvals.unlock': defineIpcCall(() => z.object({ approvalId })).answering<ApprovalView>(),

  /** Lowers the number of extras. This creates a new prompt that needs its own approval. */
  'approvals.lower': defineIpcCall(() =>
    z.object({ approvalId, digest: z.string().min(1), count: z.int().min(1) }),
  ).answering<ApprovalView>(),

  /**
   * Creates one prompt for publishing several listings. A listing that cannot be published is a row with its reason.
   */
  'batch.ask': defineIpcCall(() =>
    z.object({ listingIds: z.array(z.string().min(1)).min(2).max(200) }),
  ).answering<BatchView>(),
  /** Creates one prompt for several changes of live listings, with one row each. */
  'batch.askFor': defineIpcCall(() =>
    z.object({
      requests: z
        .array(
          z.object({
            route: z.enum(['publishListing', 'reviseListing', 'endListing', 'deleteListing']),
            input: rawInput,
          }),
        )
        .min(2)
        .max(200),
    }),
  ).answering<BatchView>(),
  /** Lists the open batches, oldest first. The window shows one at a time. */
  'batch.list': defineIpcCall(createEmptyInput).answering<BatchView[]>(),
  'batch.read': defineIpcCall(() => z.object({ batchId: z.string() })).answering<BatchView>(),
  /** Withdraws the acts of a batch that are in their undo window and sends nothing more. */
  'batch.takeBack': defineIpcCall(() => z.object({ batchId: z.string() })).answering<BatchView>(),
  /** Approves the ticked rows as shown and declines the rows without a tick. Resolves when sending starts. */
  'batch.approve': defineIpcCall(() =>
    z.object({ batchId: z.string(), rows: shownRows.min(1), unticked: shownRows }),
  ).answering<BatchView>(),
  /** Stops sending a batch; requests in flight are finished. */
  'batch.stop': defineIpcCall(() => z.object({ batchId: z.string() })).answering<BatchView>(),
  /** Declines these rows as shown, and closes the batch if no row is pending. */
  'batch.close': defineIpcCall(() => z.object({ batchId: z.string(), rows: shownRows })).answering<null>(),

  'history.search': defineIpcCall(() =>
    z.object({
      q: z.string().max(200).default(''),
      before: z.int().optional(),
      limit: z.int().min(1).max(200).default(50),
      listingId: z.string().optional(),
      approvalId: approvalId.optional(),
    }),
  ).answering<{
    rows: HistoryRow[];
    brokenAt: number | null;
    alarm: LedgerAlarm | null;
    /** SHA-256 fingerprint of the public key that signs the rows, in hex. */
    signing: { fingerprint: string; keychain: 'system' | 'memory' };
  }>(),
  'history.export': defineIpcCall(() => z.object({ format: z.enum(['jsonl', 'csv']) })).answering<SavedFile>(),
  /** Marks the alarm about the ledger as read. */
  'history.acknowledge': defineIpcCall(createEmptyInput).answering<AppState>(),
  /** Exports the signed receipt of one settled approval, or all receipts. */
  'receipts.export': defineIpcCall(() => z.object({ approvalId: approvalId.optional() })).answering<SavedFile>(),

  'assistants.list': defineIpcCall(createEmptyInput).answering<{
    assistants: AssistantView[];
    pairings: PairingView[];
  }>(),
  /** Accepts a pairing with the access that the person chose, or with the default access. */
  'assistants.accept': defineIpcCall(() =>
    z.object({ pairingId: z.string(), access: pairingAccess.optional() }),
  ).answering<null>(),
  'assistants.refuse': defineIpcCall(() => z.object({ pairingId: z.string() })).answering<null>(),
  'assistants.change': defineIpcCall(() =>
    z.object({
      assistantId: z.string(),
      paused: z.boolean().optional(),
      moneyCentsPerDay: perDay.optional(),
      publishesPerDay: perDay.optional(),
      touches: z.enum(['all', 'own']).optional(),
      scope: scope.optional(),
      folders: folders.optional(),
    }),
  ).answering<null>(),
  'assistants.revoke': defineIpcCall(() => z.object({ assistantId: z.string() })).answering<null>(),
  /** Lists the recent activity of assistants, newest first. */
  'assistants.activity': defineIpcCall(() => z.object({ assistantId: z.string().optional() })).answering<{
    rows: ActivityRow[];
  }>(),

  /** Returns the set-up texts of each client. Every call creates new client identities. */
  'clients.snippets': defineIpcCall(createEmptyInput).answering<ClientSnippets[]>(),
  /** Returns the bundle for desktop clients, for the window to save. */
  'clients.bundle': defineIpcCall(createEmptyInput).answering<ClientBundle>(),
  /** Lists the known clients installed on this machine, with their states. */
  'clients.list': defineIpcCall(createEmptyInput).answering<ClientView[]>(),
  /** Plans the changes to a client's settings without writing them. */
  'clients.plan': defineIpcCall(() => clientId).answering<ClientPlan>(),
  /** Applies exactly the planned change and creates a pairing for the client. */
  'clients.connect': defineIpcCall(() => clientId.extend({ planId: z.string().min(1).max(100) })).answering<
    ClientView[]
  >(),
  /** Removes the companion from a client's settings and revokes its pairing. */
  'clients.disconnect': defineIpcCall(() => clientId).answering<ClientView[]>(),

  /** Pages that assistants requested and only the person may open. */
  'offers.list': defineIpcCall(createEmptyInput).answering<OfferView[]>(),
  'offers.open': defineIpcCall(() => z.object({ offerId: z.string() })).answering<null>(),
  'offers.dismiss': defineIpcCall(() => z.object({ offerId: z.string() })).answering<null>(),
} as const;

export type Calls = typeof calls;
export type CallName = keyof Calls;
/** The input from a window; fields with a default are optional. */
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>;
/** The parsed input that a handler gets. */
export type CallParsed<N extends CallName> = z.output<Calls[N]['input']>;
export type CallAnswer<N extends CallName> = NonNullable<Calls[N]['answer']>['value'];

/** The handlers of a host. A missing handler does not compile. */
export type CallHandlers = { [N in CallName]: (input: CallParsed<N>) => Promise<CallAnswer<N>> };

/** Handlers that may also answer synchronously. */
export type AnyCallHandlers = { [N in CallName]: (input: CallParsed<N>) => CallAnswer<N> | Promise<CallAnswer<N>> };

/** The answer sent to a window. Errors are data, because an Error object loses its fields in transit. */
export type CallReply = { ok: true; value: unknown } | { ok: false; problem: ProblemView };

/** The `companion` object on the window, set by the preload or by the headless host's script. */
export type CompanionWindow = {
  host: 'electron' | 'browser';
  /** The prefix of the paths of pictures and of `/intake`; empty if they are at the root. */
  base: string;
  call: (name: string, input: unknown) => Promise<CallReply>;
  /** Subscribes to changed topics. Returns the unsubscribe function. */
  onChanged: (listener: (topic: string) => void) => () => void;
  /** Electron only: returns the path of a dropped or chosen file, or '' if it has none. */
  pathOf?: (file: File) => string;
};

/** Requests that a page starts before its scripts load, on the window as `companionAsked`. */
export type PrefetchedState = {
  state: Promise<CallReply>;
  /** The topics that changed since the request. */
  changed: Set<string>;
  stop: () => void;
};
