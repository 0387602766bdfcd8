import type { Approvals } from '../approvals/approvals.ts';
import { person, type Asker } from '../base/request.ts';
import type { CreateItemsFromPhotos, PhotoSource } from '../items/addPhotos.ts';
import type { Items } from '../items/items.ts';
import type { Listings } from '../listings/listings.ts';
import type { NoticeBoard } from '../notifications/noticeBoard.ts';
import type { Backups } from '../storage/backups.ts';
import { repairedSetting, scheduleRestore } from '../storage/restore.ts';
import type { DeclineReason } from '../base/problem.ts';
import type { GenerationWishes } from '../storage/tables/itemsTable.ts';
import { createWorkCounter, type RunningWork } from '../storage/tables/itemQueries.ts';
import { type AppState, buildAppState } from './appState.ts';
import type { AssistantAccess, CompanionAssistants } from './openAssistants.ts';
import type { CompanionThrottle } from './openThrottle.ts';
import { createAvatarMaker, findShownPhoto, openListingPictures, type CompanionPhotos } from './openPhotos.ts';
import type { CompanionConfig, CoreServices } from './coreServices.ts';
import type { ApprovalParts } from './openApprovals.ts';
import type { Performer } from './perform.ts';
import type { StandingMemory } from './keptAnswers.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { addPhotosToTarget } from '../items/addPhotos.ts';
import type { PhotosTarget } from '../items/items.ts';
import type { Upkeep } from './upkeep.ts';
import type { WatchedFolder } from './watchedFolder.ts';

type ApiContext = {
  config: CompanionConfig;
  services: CoreServices;
  approvals: Approvals;
  access: AssistantAccess;
  assistants: CompanionAssistants;
  approvalParts: ApprovalParts;
  throttle: CompanionThrottle;
  performer: Performer;
  listings: Listings;
  notifications: NoticeBoard;
  items: Items;
  photos: CompanionPhotos;
  standing: StandingMemory;
  upkeep: Upkeep;
  backups: Backups;
  watched: WatchedFolder;
  add: CreateItemsFromPhotos;
  addInto: ReturnType<typeof addPhotosToTarget>;
  lifecycle: Pick<Lifecycle, 'isStopped'>;
};

const maxHistoryRows = 200;

/** Creates the interface that hosts and the bridge call, grouped by subject. */
export const createCompanionApi = (context: ApiContext) => {
  const { config, services, approvals, assistants, approvalParts, performer, items, photos, standing, watched } =
    context;
  const { connection, changed } = services;
  const { change, pause, revoke } = context.access;
  const { photoUploads } = approvalParts;
  const work = createWorkCounter(services.db);
  return {
    ...performer,
    ...createMachineApi(context),
    state: (bridgeUrl: string | null): AppState =>
      buildAppState(services, config, {
        bridgeUrl,
        standing: standing.last(),
        watch: watched.state(),
        waitingApprovals: connection.who() ? approvals.listPending().length : 0,
      }),
    onChanged: services.onChanged,
    clock: services.clock,
    approvals: createApprovalsApi(context),
    /** Acknowledges the ledger alarm. */
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
    activity: assistants.activity,
    assistants: { ...assistants.assistants, change, pause, revoke },
    builtIn: assistants.builtIn,
    items,
    listings: context.listings,
    pageLinks: services.pageLinks,
    notifications: context.notifications,
    add: (source: PhotoSource, by: Asker = person, note?: string, wishes?: GenerationWishes) => {
      // Retry at once for photos from the person; photos from the watched folder wait in the queue.
      if (by.kind === 'person') services.pacing.hurry();
      return context.add(source, by, note, wishes);
    },
    avatar: createAvatarMaker(photos),
    /** Adds photos from the person to one item or listing. */
    addInto: (source: PhotoSource, into: PhotosTarget) => {
      services.pacing.hurry();
      return context.addInto(source, into);
    },
    receivePhoto: photos.intake.receive,
    boundPhotos: services.boundPhotos,
    uploads: photoUploads,
    disk: photos.disk,
    photo: findShownPhoto(services),
    changeSettings: watched.changeSettings,
    /** Counts the background work in progress; zero once the companion is stopping. */
    work: (): RunningWork =>
      connection.who() && !context.lifecycle.isStopped() ? work(connection.account()) : { running: 0, done: 0 },
    backups: createBackupsApi(context, changed),
  };
};

/** Creates the functions that pause and resume background work. */
const createMachineApi = ({ services, upkeep }: ApiContext) => {
  const { gate, changed } = services;
  return {
    /** Pauses every new step of every item, or resumes them. Steps in flight finish. */
    pauseAll: (paused: boolean): void => {
      gate.setPaused('person', paused);
      changed('app');
    },
    /** Notes that a window is in use. */
    seen: upkeep.seen,
    /** Pauses new work until `wake`, as the machine is about to sleep. */
    sleep: (): void => gate.setPaused('sleep', true),
    /** Resumes work after sleep, a network outage or a clock change. */
    wake: (): void => {
      gate.setPaused('sleep', false);
      upkeep.wake();
    },
  };
};

const createApprovalsApi = ({ approvals, access, throttle }: ApiContext) => ({
  ...approvals,
  /** Declines an approval. The reason "I did not ask for this" also pauses the assistant. */
  decline: (approvalId: string, digest: string, why: DeclineReason) => {
    const { asker } = approvals.requireApproval(approvalId);
    const declined = approvals.decline(approvalId, digest, why);
    if (why === 'not_asked_for' && asker.kind === 'assistant') access.pause(asker.assistantId);
    return declined;
  },
  /** Withdraws an approval on behalf of its asker. */
  withdraw: (approvalId: string) => {
    const { asker } = approvals.requireApproval(approvalId);
    if (asker.kind === 'assistant') throttle.requests.noteFailedRequest(asker.assistantId);
    return approvals.withdraw(approvalId);
  },
  history: () => approvals.listNewest(maxHistoryRows),
});

const createBackupsApi = ({ config, services, backups }: ApiContext, changed: CoreServices['changed']) => ({
  list: backups.list,
  make: backups.make,
  /** Restores a backup at the next start; the current data is kept aside. */
  restore: (name: string) => scheduleRestore(config.dataDir, name),
  /** Acknowledges that the database was rebuilt. */
  repairSeen: (): void => {
    services.settings.remove(repairedSetting);
    if (services.signedLedger.alarm()?.kind === 'rolledBack') services.signedLedger.acknowledge();
    changed('app');
  },
});
