import type { ApprovalEngine } from '../approvals/approvals.ts';
import { person, type Asker } from '../base/request.ts';
import type { CreateItemsFromPhotos, AddOptions, PhotoSource, SettleRepeats } from '../items/addPhotos.ts';
import type { Items } from '../items/items.ts';
import type { ListingsService } from '../listings/listings.ts';
import type { ShelfFields } from '../base/shelfFields.ts';
import type { ItemView } from '../storage/tables/itemRecord.ts';
import type { DuplicateTarget } from '../storage/tables/listings/duplicatesTable.ts';
import type { ListingRow } from '../storage/tables/listings/listingSearch.ts';
import type { ReadListingWarnings, WarningRequest } from '../listings/warningReader.ts';
import type { NotificationService } from '../notifications/noticeBoard.ts';
import type { Backups } from '../storage/backups.ts';
import { repairedSettingName, scheduleRestore } from '../storage/restore.ts';
import type { DeclineReason } from '../base/problem.ts';
import { createRunningItemCounter, type RunningWork } from '../storage/runningItems.ts';
import { type AppState, buildAppState } from './appState.ts';
import type { FileExports } from './dataTasks/fileExports.ts';
import type { AssistantAccess, CompanionAssistants } from './openAssistants.ts';
import type { CompanionThrottle } from './openThrottle.ts';
import { createAvatarMaker, createPhotoFinder, openListingPictures, type CompanionPhotos } from './openPhotos.ts';
import type { CompanionConfig, CoreServices } from './coreServices.ts';
import type { ApprovalParts } from './openApprovals.ts';
import type { Performer } from './perform.ts';
import type { StandingMemory } from './keptAnswers.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { createPhotoAdder, createPhotoReplacer } from '../items/addPhotos.ts';
import { createAssistantShelf, type AssistantShelfService } from '../assistants/assistantShelf.ts';
import type { Shelf } from '../shelf/shelf.ts';
import type { PhotosTarget } from '../items/items.ts';
import type { Maintenance } from './maintenance.ts';
import type { Presence } from '../presence/presence.ts';
import type { WatchedFolder } from './watchedFolder.ts';

type ApiContext = {
  config: CompanionConfig;
  services: CoreServices;
  approvals: ApprovalEngine;
  access: AssistantAccess;
  assistants: CompanionAssistants;
  approvalParts: ApprovalParts;
  throttle: CompanionThrottle;
  performer: Performer;
  listings: ListingsService;
  notifications: NotificationService;
  items: Items;
  photos: CompanionPhotos;
  standing: StandingMemory;
  upkeep: Maintenance;
  backups: Backups;
  exports: FileExports;
  watched: WatchedFolder;
  presence: Presence;
  shelf: Shelf;
  add: CreateItemsFromPhotos;
  settleRepeats: SettleRepeats;
  addInto: ReturnType<typeof createPhotoAdder>;
  replacePhoto: ReturnType<typeof createPhotoReplacer>;
  lifecycle: Pick<Lifecycle, 'isStopped'>;
};

const maxHistoryRows = 200;

const noWork: RunningWork = { running: 0, unwritten: 0, done: 0 };

/** Creates the interface of the companion for hosts and the bridge. */
export const createCompanionApi = (context: ApiContext) => {
  const { config, services, approvals, assistants, approvalParts, performer, items, photos, standing, watched } =
    context;
  const { connection, changed } = services;
  const { change, pause, revoke } = context.access;
  const { photoUploads } = approvalParts;
  const work = createRunningItemCounter(services.db);
  return {
    ...performer,
    ...createPauseApi(context),
    state: (bridgeUrl: string | null): AppState =>
      buildAppState(services, config, {
        bridgeUrl,
        standing: standing.last(),
        ...{ watch: watched.state(), presence: context.presence.readState() },
        waitingApprovals: connection.who() ? approvals.listPending().length : 0,
      }),
    onChanged: services.onChanged,
    clock: services.clock,
    approvals: createApprovalsApi(context),
    acknowledgeLedger: services.signedLedger.acknowledge,
    offers: {
      ...assistants.offers,
      open: (offerId: string): string => {
        const url = assistants.offers.open(offerId);
        services.pageWatch.opened();
        return url;
      },
    },
    assistantWork: assistants.work({
      ...{ perform: performer.perform, items, photos, photoUploads },
      pictures: openListingPictures(services, photos),
    }),
    ...{ activity: assistants.activity, assistantShelf: openAssistantShelf(context) },
    assistants: { ...assistants.assistants, change, pause, revoke },
    builtIn: assistants.builtIn,
    items,
    ...{ listings: context.listings, settleRepeats: context.settleRepeats, listRepeats: items.repeats.list },
    ...{ readWarnings: createAskerWarningReader(context), duplicates: createDuplicatesApi(context) },
    pageLinks: services.pageLinks,
    notifications: context.notifications,
    add: (source: PhotoSource, by: Asker = person, note?: string, options?: AddOptions) => {
      // If the person adds photos, they are waiting, so pending retries run now.
      if (by.kind === 'person') services.pacing.hurry();
      return context.add(source, by, note, options);
    },
    avatar: createAvatarMaker(photos),
    addInto: (source: PhotoSource, into: PhotosTarget) => {
      services.pacing.hurry();
      return context.addInto(source, into);
    },
    ...{ replacePhoto: context.replacePhoto, receivePhoto: photos.intake.receive },
    boundPhotos: services.boundPhotos,
    uploads: photoUploads,
    ...{ disk: photos.disk, windowUse: photos.windowUse },
    photo: createPhotoFinder(services),
    changeSettings: watched.changeSettings,
    /** Counts running background work. Returns zero when the companion is stopping. */
    work: (): RunningWork => (connection.who() && !context.lifecycle.isStopped() ? work(connection.account()) : noWork),
    backups: createBackupsApi(context, changed),
  };
};

const openAssistantShelf = ({ services, assistants, listings, shelf }: ApiContext): AssistantShelfService =>
  createAssistantShelf({
    ...assistants,
    limits: assistants.assistants.limits,
    ...{ shelf, search: listings, listings: services.listings, account: services.connection.account },
  });

/** Warns an asker only about listings that it may see, and compares these only with each other. */
const createAskerWarningReader =
  ({ services, assistants: { scope } }: Pick<ApiContext, 'services' | 'assistants'>) =>
  (by: Asker, listingIds: readonly string[], fees?: WarningRequest['fees']): ReturnType<ReadListingWarnings> => {
    const makerId = by.kind === 'person' || scope.seesAll(by) ? null : by.assistantId;
    const visible = listingIds.filter((listingId) => scope.mayTouch(by, listingId));
    return services.readWarnings({ listingIds: visible, makerId, prices: 'all', ...(fees && { fees }) });
  };

/** The fields of an item or a listing that the person compares. */
export type ComparedSide = Pick<
  ListingRow,
  'title' | 'priceCents' | 'currency' | 'quantity' | 'photoUrl' | 'sku' | 'shelf'
>;
/** An item or a listing in review, and the live listings that could sell the same thing. */
export type LiveDuplicates = { own: ComparedSide | null; live: ListingRow[] };

const toComparedSide = ({ name, quantity, photos }: ItemView, shelf: ShelfFields): ComparedSide => ({
  ...{ title: name, priceCents: null, currency: null, sku: null },
  ...{ quantity, shelf, photoUrl: photos.find(({ state }) => state === 'ready')?.thumbUrl ?? null },
});

type DuplicatesContext = {
  services: Pick<CoreServices, 'findDuplicates' | 'duplicates' | 'changed'> & {
    connection: Pick<CoreServices['connection'], 'account'>;
  };
  listings: Pick<ApiContext['listings'], 'rows'>;
  items: Pick<ApiContext['items'], 'get' | 'begin'>;
  shelf: Pick<ApiContext['shelf'], 'read'>;
};

export const createDuplicatesApi = ({ services, listings, items, shelf }: DuplicatesContext) => ({
  list: (own: DuplicateTarget): LiveDuplicates => ({
    own:
      'itemId' in own
        ? toComparedSide(items.get(own.itemId), shelf.read(own).fields)
        : (listings.rows([own.listingId])[0] ?? null),
    live: listings.rows(services.findDuplicates(own, null)),
  }),
  /** An item that waited only for this answer is started. */
  keepDifferent: async (own: DuplicateTarget, liveListingId: string): Promise<void> => {
    services.duplicates.keepDifferent(services.connection.account(), own, liveListingId);
    services.changed('listings');
    if (!('itemId' in own)) return;
    services.changed('items');
    const isWaiting = items.get(own.itemId).reviewReason === 'liveDuplicate';
    if (isWaiting && services.findDuplicates(own, null).length === 0) await items.begin([own.itemId]);
  },
});

const createPauseApi = ({ services, upkeep }: ApiContext) => {
  const { gate, changed, ledger, clock } = services;
  return {
    /** Pauses or resumes all work. Steps in flight are not interrupted. */
    pauseAll: (paused: boolean): void => {
      if (!paused && gate.isPaused('person')) ledger.append(clock.now(), 'work.resumed', {});
      gate.setPaused('person', paused);
      changed('app');
    },
    seen: upkeep.seen,
    sleep: (): void => gate.setPaused('sleep', true),
    /** Resumes work after the machine wakes, the network returns or the clock changes. */
    wake: (): void => {
      gate.setPaused('sleep', false);
      upkeep.wake();
    },
  };
};

const createApprovalsApi = ({ approvals, access, throttle }: ApiContext) => ({
  ...approvals,
  /** The reason `not_asked_for` also pauses the assistant. */
  decline: (approvalId: string, digest: string, why: DeclineReason) => {
    const { asker } = approvals.requireApproval(approvalId);
    const declined = approvals.decline(approvalId, digest, why);
    if (why === 'not_asked_for' && asker.kind === 'assistant') access.pause(asker.assistantId);
    return declined;
  },
  withdraw: (approvalId: string) => {
    const { asker } = approvals.requireApproval(approvalId);
    if (asker.kind === 'assistant') throttle.requests.noteFailedRequest(asker.assistantId);
    return approvals.withdraw(approvalId);
  },
  /** Withdraws the pending approvals of one prompt, which counts as one failed request of its assistant. */
  withdrawTogether: (approvalIds: readonly string[]): void => {
    const pending = approvalIds.map(approvals.requireApproval).filter(({ state }) => state === 'pending');
    const [first] = pending;
    if (first?.asker.kind === 'assistant') throttle.requests.noteFailedRequest(first.asker.assistantId);
    for (const { approval_id: approvalId } of pending) approvals.withdraw(approvalId);
  },
  history: () => approvals.listNewest(maxHistoryRows),
});

const createBackupsApi = ({ config, services, backups, exports }: ApiContext, changed: CoreServices['changed']) => ({
  list: backups.list,
  make: backups.make,
  /** Restores a backup at the next start. A copy of the current data is kept. Returns false if the check is cancelled. */
  restore: (name: string): Promise<boolean> => scheduleRestore(config.dataDir, name, exports.checkBackup),
  repairSeen: (): void => {
    services.settings.remove(repairedSettingName);
    if (services.signedLedger.alarm()?.kind === 'rolledBack') services.signedLedger.acknowledge();
    changed('app');
  },
});
