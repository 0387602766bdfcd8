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
import type { LinkQuestion, PageLink } from '../core/listings/pageLinks.ts';
import type { Written } from '../core/storage/tables/listingsTable.ts';
import type { NotificationsView } from '../core/notifications/noticeBoard.ts';
import type { BackupView } from '../core/storage/backups.ts';
import type { ProblemView } from '../core/base/problem.ts';
import { languageCodes } from '../i18n/languages.ts';
import { call, nothing } from './call.ts';
import { clientIds, type ClientBundle, type ClientPlan, type ClientSnippets, type ClientView } from './clients.ts';
import { itemCalls } from './itemCalls.ts';
import type { SavedFile, ShellState } from './shell.ts';
import type { Outcome } from '../core/base/request.ts';
import type { HistoryRow } from '../core/approvals/ledger/history.ts';

const listingSorts = ['newest', 'oldest', 'cheapest', 'dearest', 'title', 'titleDown', 'status', 'statusDown'] as const;
/** Which of the listings on this machine: all that meet every wish. Times are ms since 1970, money in hundredths. */
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
const practiceWish = z.object({ shop: z.enum(['empty', 'stocked']), anew: z.boolean() }).partial();
/** Rows of a batch, each by its approval and the digest of what was shown. */
const shownRows = z.array(z.object({ approvalId, digest: z.string().min(1) })).max(200);
const scope = z.enum(['read', 'draft', 'ask']);
/** Absolute paths: the folders whose photos an assistant may use. */
const folders = z.array(z.string().min(1).max(4_000)).max(50);
const perDay = z.int().min(0).nullable();
/** What an assistant may do; money in US cents a day, null for no limit. */
const pairingAccess = z.object({ scope, folders, publishesPerDay: perDay, moneyCentsPerDay: perDay });
const clientId = z.object({ clientId: z.enum(clientIds) });

/** Every call that a screen may make, declared once; Electron's IPC and the headless WebSocket serve the same table. */
export const calls = {
  'app.state': call(nothing).answering<AppState>(),
  'app.settings': call(() =>
    z.object({
      theme: z.enum(['system', 'light', 'dark']).optional(),
      tourSeen: z.boolean().optional(),
      language: z.enum(['system', ...languageCodes]).optional(),
      longEdgePx: z.int().min(1280).max(2400).optional(),
      photoFormat: z.enum(['jpeg', 'webp']).optional(),
      /** A whole path; files that are in it already stay as they are. Null stops watching. */
      watchFolder: z.string().min(1).max(4_000).nullable().optional(),
      groupingReview: z.boolean().optional(),
      holdDrops: z.boolean().optional(),
      useFolderTexts: z.boolean().optional(),
      approvalMinutes: z.int().min(1).max(1440).optional(),
      publishFromNotificationMinor: z.int().min(0).max(100_000).nullable().optional(),
      marketplaceId: z
        .string()
        .regex(/^MKT_[A-Z]+$/)
        .nullable()
        .optional(),
      marketAccountId: z.string().min(1).max(200).nullable().optional(),
      /** '' is none; null leaves it to the service, and what is watched to all others. */
      templateId: z.string().max(200).nullable().optional(),
      watchTemplateId: z.string().max(200).nullable().optional(),
      notify: z
        .object({ approvals: z.boolean(), written: z.boolean(), sales: z.boolean(), connection: z.boolean() })
        .partial()
        .optional(),
    }),
  ).answering<AppState>(),
  /** How the app stands with the system around it. */
  'app.shell': call(nothing).answering<ShellState>(),
  'app.changeShell': call(() =>
    z.object({ startAtLogin: z.boolean().optional(), addFromFileManager: z.boolean().optional() }),
  ).answering<ShellState>(),
  /** Holds back everything new, or lets it go on. */
  'app.pause': call(() => z.object({ paused: z.boolean() })).answering<AppState>(),
  /** Begins to drag prepared photos out of the window; the desktop app only. */
  'app.dragOut': call(() =>
    z.object({ photoIds: z.array(z.string().min(1).max(100)).min(1).max(100) }),
  ).answering<null>(),
  'app.showLogs': call(nothing).answering<null>(),
  /** A file for the person to read and send to somebody who helps. */
  'app.diagnostics': call(nothing).answering<SavedFile>(),
  'app.update': call(() => z.object({ act: z.enum(['check', 'load', 'install']) })).answering<ShellState>(),
  /** Forgets everything that this computer keeps, the key included, and ends the app. */
  'app.forgetEverything': call(nothing).answering<null>(),
  /** How a page outside the companion may be opened; null for one that may not. */
  'links.inspect': call(() => z.object({ url: z.string().max(4_000) })).answering<PageLink | null>(),
  /** The question about a page on a host that is not known, and the yes to it, which answers the page. */
  'links.ask': call(() => z.object({ url: z.string().max(4_000) })).answering<LinkQuestion>(),
  'links.agree': call(() => z.object({ questionId: z.string().max(100) })).answering<{ url: string }>(),
  /** Opens a page on a host that is known. */
  'app.open': call(() => z.object({ url: z.url({ protocol: /^https?$/ }) })).answering<null>(),

  /** Copies of everything that only this machine knows. */
  'backups.list': call(nothing).answering<BackupView[]>(),
  'backups.make': call(nothing).answering<BackupView[]>(),
  /** Puts a copy in the place of what is here at the next start; answers its name. */
  'backups.restore': call(() => z.object({ name: z.string().min(1).max(100) })).answering<null>(),
  /** The person has read that the data was made anew. */
  'backups.repairSeen': call(nothing).answering<AppState>(),

  /** In a shop of that kind: the one that was left last, or `anew` one where nothing was done yet. */
  'connect.practice': call(() => practiceWish).answering<AppState>(),
  /** The name is for an account that is made new. */
  'connect.start': call(() =>
    z.object({ email: z.string().min(1).max(254), name: z.string().max(200).optional() }),
  ).answering<{
    challengeId: string;
    termsUrl: string | null;
    privacyUrl: string | null;
  }>(),
  'connect.verify': call(() =>
    z.object({ challengeId: z.string(), email: z.string(), code: z.string() }),
  ).answering<AppState>(),
  /** A key from the web settings, once, from a browser's field. The desktop app reads the clipboard itself. */
  'connect.key': call(() => z.object({ key: z.string().max(2_000) })).answering<AppState>(),
  'connect.clipboard': call(nothing).answering<AppState>(),
  'connect.forget': call(nothing).answering<AppState>(),

  ...itemCalls,

  'listings.search': call(() =>
    listingFilter.extend({
      sort: z.enum(listingSorts).default('newest'),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(200).default(100),
    }),
  ).answering<ListingPage>(),
  'listings.counts': call(nothing).answering<ListingCounts>(),
  /** A listing as this machine knows it, without a word to the service; null for one that it does not know. */
  'listings.kept': call(() => z.object({ listingId: z.string().min(1) })).answering<Listing | null>(),
  /** A listing as it first came to be reviewed. */
  'listings.written': call(() => z.object({ listingId: z.string().min(1) })).answering<Written | null>(),
  /** Whether the service did not know the listing when it was last asked for it. */
  'listings.isUnknown': call(() => z.object({ listingId: z.string().min(1) })).answering<boolean>(),
  /** Forgets such a listing on this machine, where no item led to it. */
  'listings.forgetUnknown': call(() => z.object({ listingId: z.string().min(1) })).answering<null>(),
  /** Keeps a change of many listings, with what there is before it, before any of it is sent; then what was changed. */
  'listings.keepBulkEdit': call(() =>
    z.object({
      editId: z.uuid(),
      field: z.string().min(1).max(40),
      rows: z
        .array(z.object({ listingId: z.string().min(1), body: listingChanges, old: listingChanges.nullable() }))
        .max(200),
    }),
  ).answering<null>(),
  'listings.lastBulkEdit': call(nothing).answering<LastBulkEdit | null>(),
  'listings.forgetBulkEdits': call(nothing).answering<null>(),
  /** Reads all of them again at the service, in the background. */
  'listings.again': call(nothing).answering<ListingCounts>(),
  /** Those that are found, as CSV. */
  'listings.export': call(() => listingFilter).answering<SavedFile>(),

  /** What the service told the person, as it was last read. */
  'notifications.list': call(nothing).answering<NotificationsView>(),
  /** The person has looked at them all. */
  'notifications.viewed': call(nothing).answering<NotificationsView>(),
  'notifications.read': call(() => z.object({ notifId: z.string().min(1).max(200) })).answering<NotificationsView>(),

  /** A request of the person, by any route of the interface. */
  'service.perform': call(() =>
    z.object({ route: z.enum(routeNames), input: rawInput, waitId: z.uuid().optional() }),
  ).answering<Outcome>(),
  /** The person waits no longer for the request that was made with this id. One that has left may still arrive. */
  'service.stopWaiting': call(() => z.object({ waitId: z.uuid() })).answering<null>(),

  'approvals.list': call(nothing).answering<ApprovalView[]>(),
  'approvals.history': call(nothing).answering<ApprovalView[]>(),
  'approvals.get': call(() => z.object({ approvalId })).answering<ApprovalView>(),
  /** The yes to exactly what is shown: answers the approval as it then is, or the one that replaced it. */
  'approvals.approve': call(() => z.object({ approvalId, digest: z.string().min(1) })).answering<ApprovalView>(),
  'approvals.decline': call(() =>
    z.object({
      approvalId,
      digest: z.string().min(1),
      why: z.enum(['no', 'wrong_details', 'not_asked_for']).default('no'),
    }),
  ).answering<ApprovalView>(),

  /** Takes back an act that cannot be undone, in the seconds for which it is held after the yes. */
  'approvals.takeBack': call(() => z.object({ approvalId })).answering<ApprovalView>(),
  /** Lets go of a listing of which nobody could find out for ten minutes what became of it. */
  'approvals.unlock': call(() => z.object({ approvalId })).answering<ApprovalView>(),

  /** Fewer extras than were asked for: a fresh prompt for the smaller number, which needs its own yes. */
  'approvals.lower': call(() =>
    z.object({ approvalId, digest: z.string().min(1), count: z.int().min(1) }),
  ).answering<ApprovalView>(),

  /** One prompt for many listings; what cannot be published is a row with its reason. */
  'batch.ask': call(() => z.object({ listingIds: z.array(z.string().min(1)).min(2).max(200) })).answering<BatchView>(),
  /** The same for changes of live listings: one prompt with a row each. */
  'batch.askFor': call(() =>
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
  /** The batches that are not closed, first come first served. The window shows one at a time. */
  'batch.list': call(nothing).answering<BatchView[]>(),
  /** One batch as it is now, also when it is closed. */
  'batch.read': call(() => z.object({ batchId: z.string() })).answering<BatchView>(),
  /** Takes back everything of a batch that is held and not sent. */
  'batch.takeBack': call(() => z.object({ batchId: z.string() })).answering<BatchView>(),
  /** The yes to exactly these rows as they were shown, and the no to those without a tick. Answers when the sending has begun. */
  'batch.approve': call(() =>
    z.object({ batchId: z.string(), rows: shownRows.min(1), unticked: shownRows }),
  ).answering<BatchView>(),
  /** Nothing more is sent; what is under way is finished. */
  'batch.stop': call(() => z.object({ batchId: z.string() })).answering<BatchView>(),
  /** The no to these rows as they were shown, and the end of the batch where none waits any more. */
  'batch.close': call(() => z.object({ batchId: z.string(), rows: shownRows })).answering<null>(),

  'history.search': call(() =>
    z.object({
      q: z.string().max(200).default(''),
      before: z.int().optional(),
      limit: z.int().min(1).max(200).default(50),
      /** Only what is about this listing. */
      listingId: z.string().optional(),
      /** Only the steps of this question. */
      approvalId: approvalId.optional(),
    }),
  ).answering<{
    rows: HistoryRow[];
    brokenAt: number | null;
    alarm: LedgerAlarm | null;
    /** The SHA-256 of the public key that signs the rows, in hex. */
    signing: { fingerprint: string; keychain: 'system' | 'memory' };
  }>(),
  'history.export': call(() => z.object({ format: z.enum(['jsonl', 'csv']) })).answering<SavedFile>(),
  /** The person has read what is wrong with the ledger. */
  'history.acknowledge': call(nothing).answering<AppState>(),
  /** The signed receipt of one settled question, or those of all. */
  'receipts.export': call(() => z.object({ approvalId: approvalId.optional() })).answering<SavedFile>(),

  'assistants.list': call(nothing).answering<{ assistants: AssistantView[]; pairings: PairingView[] }>(),
  /** Lets an assistant in, with what the person chose for it; without a choice it may do what is usual. */
  'assistants.accept': call(() =>
    z.object({ pairingId: z.string(), access: pairingAccess.optional() }),
  ).answering<null>(),
  'assistants.refuse': call(() => z.object({ pairingId: z.string() })).answering<null>(),
  'assistants.change': call(() =>
    z.object({
      assistantId: z.string(),
      paused: z.boolean().optional(),
      /** In US cents a day, or null for no limit. */
      moneyCentsPerDay: perDay.optional(),
      publishesPerDay: perDay.optional(),
      touches: z.enum(['all', 'own']).optional(),
      scope: scope.optional(),
      folders: folders.optional(),
    }),
  ).answering<null>(),
  'assistants.revoke': call(() => z.object({ assistantId: z.string() })).answering<null>(),
  /** What assistants did lately, newest first. */
  'assistants.activity': call(() => z.object({ assistantId: z.string().optional() })).answering<{
    rows: ActivityRow[];
  }>(),

  /** What each client needs to work with this companion, as text to copy. Every answer has other identities in it. */
  'clients.snippets': call(nothing).answering<ClientSnippets[]>(),
  /** The bundle for desktop clients, for the window to save. */
  'clients.bundle': call(nothing).answering<ClientBundle>(),
  /** The known clients that are installed here, and how each stands. */
  'clients.list': call(nothing).answering<ClientView[]>(),
  /** Shows what connecting a client would write into its settings; nothing is written yet. */
  'clients.plan': call(() => clientId).answering<ClientPlan>(),
  /** The yes to exactly that change: writes it, and gives the client a pairing of its own. */
  'clients.connect': call(() => clientId.extend({ planId: z.string().min(1).max(100) })).answering<ClientView[]>(),
  /** Takes the companion out of a client's settings, and ends its pairing. */
  'clients.disconnect': call(() => clientId).answering<ClientView[]>(),

  /** Pages that assistants asked for and only the person may open. */
  'offers.list': call(nothing).answering<OfferView[]>(),
  'offers.open': call(() => z.object({ offerId: z.string() })).answering<null>(),
  'offers.dismiss': call(() => z.object({ offerId: z.string() })).answering<null>(),
} as const;

export type Calls = typeof calls;
export type CallName = keyof Calls;
/** The input as a window may give it: what has a default may be left out. */
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>;
/** The input as a handler gets it: parsed, with its defaults. */
export type CallParsed<N extends CallName> = z.output<Calls[N]['input']>;
/** What a call answers. */
export type CallAnswer<N extends CallName> = NonNullable<Calls[N]['answer']>['value'];

/** One function a call: what a host serves. A missing one does not compile. */
export type Handlers = { [N in CallName]: (input: CallParsed<N>) => Promise<CallAnswer<N>> };

/** The same where answers may also come at once. */
export type AnyHandlers = { [N in CallName]: (input: CallParsed<N>) => CallAnswer<N> | Promise<CallAnswer<N>> };

/** How an answer crosses to a window: errors are data, as an Error loses its fields on the way. */
export type Reply = { ok: true; value: unknown } | { ok: false; problem: ProblemView };

/** What the preload (or the headless host's script) puts on the window as `companion`. */
export type CompanionWindow = {
  host: 'electron' | 'browser';
  /** What stands before the paths of pictures and of `/intake` in this window; empty where they are at the root. */
  base: string;
  call: (name: string, input: unknown) => Promise<Reply>;
  /** Called with the name of what changed. Answers how to stop. */
  onChanged: (listener: (topic: string) => void) => () => void;
  /** Electron only: the path of a dropped or chosen file; '' when it has none. */
  pathOf?: (file: File) => string;
};

/** What a page has asked before its scripts were there, on the window as `companionAsked`. */
export type AskedEarly = {
  /** The answer to `app.state`. */
  state: Promise<Reply>;
  /** What has changed since it was asked. */
  changed: Set<string>;
  /** Listens for changes no longer. */
  stop: () => void;
};
