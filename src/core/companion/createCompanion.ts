import { standing as standingShape, type Listing, type Standing } from '../../contract/index.ts';
import { createBatches } from '../approvals/batches.ts';
import { createHistory } from '../approvals/ledger/history.ts';
import { createReceipts } from '../approvals/ledger/receipts.ts';
import type { Ports } from '../base/ports.ts';
import { addPhotos, addPhotosInto } from '../items/addPhotos.ts';
import { createListings } from '../listings/listings.ts';
import { createNews, type News } from '../notifications/news.ts';
import { createNoticeBoard } from '../notifications/noticeBoard.ts';
import { createBackups } from '../storage/backups.ts';
import { createAskerCheck } from './askerCheck.ts';
import { createAssistantAccess, openAssistants } from './openAssistants.ts';
import { companionApi } from './companionApi.ts';
import { openThrottle, type CompanionThrottle } from './openThrottle.ts';
import { openCoreServices, type CompanionConfig, type CoreServices } from './coreServices.ts';
import { generationMemory, openPerform } from './openPerform.ts';
import { createLifecycle } from './lifecycle.ts';
import { createListingReads, createStandingMemory, type StandingMemory } from './keptAnswers.ts';
import { openPhotos, type PhotosOfCompanion } from './openPhotos.ts';
import { createPersonTexts } from './personTexts.ts';
import { openApprovals, type ApprovalParts } from './openApprovals.ts';
import { createUpkeep } from './upkeep.ts';
import { createWatchedFolder } from './watchedFolder.ts';
import { person, type Perform } from '../base/request.ts';
import { problem } from '../base/problem.ts';
import { createItems, type Items } from '../items/items.ts';
import { photoCap } from '../items/choosePhotos.ts';
import { createSemaphore } from '../base/semaphore.ts';
import { createWritingStanding } from '../items/writingStanding.ts';

type More = {
  perform: Perform;
  photos: PhotosOfCompanion;
  approvalParts: Pick<ApprovalParts, 'photoUploads' | 'extras'>;
  throttle: Pick<CompanionThrottle, 'places'>;
  standing: StandingMemory;
};

const sentAtOnce = 3;

/** Creates the items from the core services. */
const openItems = (parts: CoreServices, { perform, photos, approvalParts, throttle, standing }: More): Items => {
  const readStanding = async (signal: AbortSignal): Promise<Standing> => {
    const outcome = await perform({ by: person, unattended: true, route: 'readStanding', input: {}, signal });
    if (outcome.state !== 'done') throw problem('STANDING_UNKNOWN');
    return standingShape.parse(outcome.answer);
  };
  return createItems({
    ...parts,
    perform,
    photoUploads: approvalParts.photoUploads,
    writingPlaces: throttle.places,
    extrasApproval: (by) => approvalParts.extras.of(by)?.extrasApprovalId ?? null,
    table: parts.itemsTable,
    account: parts.connection.account,
    workers: photos.workers,
    settings: parts.settings.settings,
    preparedDir: photos.preparedDir,
    sendingPlaces: createSemaphore(sentAtOnce),
    standing: readStanding,
    writingStanding: createWritingStanding(parts.allowance, readStanding),
    photoCap: () => photoCap(standing.last()),
    photoCapNow: async (signal) => photoCap(parts.allowance.recent() ?? (await readStanding(signal))),
    touched: () => parts.changed('items'),
  });
};

export type Companion = Awaited<ReturnType<typeof createCompanion>>;
export type { CompanionConfig } from './coreServices.ts';

/** Creates the parts that handle requests: approvals, assistants, throttle and performer. */
const openRequests = (services: CoreServices, news: News, keyRevoked: () => void) => {
  const listingReads = createListingReads(services, news);
  const standing = createStandingMemory(services);
  const assistants = openAssistants(services);
  const { known, generations } = generationMemory(services);
  const checkAsker = createAskerCheck({ ...assistants, known });
  const approvalParts = openApprovals({
    services,
    assistants,
    listingReads,
    checkAsker,
    generationStarted: (account, listingId) => generations.settled(account, listingId, true),
    keyRevoked,
  });
  const throttle = openThrottle(services, listingReads, standing);
  const shared = { services, assistants, approvalParts, throttle, standing, listingReads };
  const performer = openPerform({ ...shared, checkAsker, generations });
  return { listingReads, standing, assistants, approvalParts, throttle, performer };
};

/**
 * Creates the companion on one data folder. `start` resumes unfinished work; `stop` leaves it consistent on disk.
 * The host must own the folder's lock. Throws a `Problem` if the folder is unwritable or from a newer version.
 */
export const createCompanion = async (config: CompanionConfig, ports: Ports) => {
  const services = await openCoreServices(config, ports);
  const news = createNews(services);
  const requests = openRequests(services, news, () => lifecycle.keyRevoked());
  const { listingReads, assistants, performer } = requests;
  const { approvals } = requests.approvalParts;
  const working = { ...services, perform: performer.perform };
  const listings = createListings({
    ...working,
    forget: listingReads.forget,
    hasItem: (listingId) => services.itemsTable.ofListing(services.connection.account(), listingId) !== null,
  });
  const notifications = createNoticeBoard(working);
  const photos = openPhotos(services, config.startKitchen);
  const items = openItems(services, { ...requests, perform: performer.perform, photos });
  listingReads.onKept((listing: Listing) => items.follow(listing));
  listingReads.onKept(({ listingId, status }) => notifications.followListing(listingId, status));
  listingReads.onKept(approvals.learnListing);
  listingReads.onForgotten(approvals.learnGone);
  listingReads.onEdited(items.listingEdited);
  listingReads.onForgotten(items.listingDeleted);
  listingReads.onMissed(items.listingMissed);
  listingReads.onMissed(approvals.learnGone);
  listingReads.onForgotten((listingId) => notifications.followListing(listingId, null));
  const add = addPhotos(items, photos, services.settings.settings);
  const addInto = addPhotosInto(items, photos.intake);
  const watched = createWatchedFolder(services, config.dataDir, add);
  const access = createAssistantAccess({ services, ...assistants, approvals });
  const upkeep = createUpkeep(services, approvals, items, performer.perform);
  const backups = createBackups(services);
  const parts = {
    ...requests,
    ...{ config, services, approvals, access, listings, notifications, news },
    ...{ items, photos, upkeep, backups, watched, addInto },
  };
  const lifecycle = createLifecycle(parts);

  return {
    /** Texts for the person inside an assistant's program, in the person's language. */
    personTexts: createPersonTexts(services.settings.settings),
    ...companionApi({ ...parts, add, lifecycle }),
    ...lifecycle,
    batches: createBatches({
      ...services,
      account: services.connection.account,
      approvals,
      nameLike: assistants.assistants.nameLike,
      askInBatch: performer.askInBatch,
    }),
    searchHistory: createHistory(services),
    receipts: createReceipts(services),
  };
};
