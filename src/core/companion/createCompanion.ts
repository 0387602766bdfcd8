import { findListingCurrency, standing as standingShape, type Listing, type Standing } from '../../contract/index.ts';
import { createBatchService } from '../approvals/batches.ts';
import { createHistoryService } from '../approvals/ledger/history.ts';
import { createReceiptExporter } from '../approvals/ledger/receipts.ts';
import type { Ports } from '../base/ports.ts';
import { createPhotoImporter, createPhotoAdder, createPhotoReplacer } from '../items/addPhotos.ts';
import { createListingsService, type ListingsService } from '../listings/listings.ts';
import { createNewsNotifier, type NewsNotifier } from '../notifications/news.ts';
import { createNotificationService, type NotificationService } from '../notifications/noticeBoard.ts';
import { createDailyBackupService } from '../storage/backups.ts';
import { createAskerCheck, createPhotoChangeCheck } from './askerCheck.ts';
import { createAssistantAccess, openAssistantParts } from './openAssistants.ts';
import { createCompanionApi } from './companionApi.ts';
import { openCompanionThrottle, type CompanionThrottle } from './openThrottle.ts';
import { openCheckedDatabase, type CheckedDatabase } from './dataTasks/dataCheck.ts';
import { openCoreServices, type CompanionConfig, type CoreServices } from './coreServices.ts';
import { createGenerationMemory } from './generationMemory.ts';
import { createPerformer } from './perform.ts';
import { createLifecycle } from './lifecycle.ts';
import { createFileExports } from './dataTasks/fileExports.ts';
import { createListingReads, createStandingMemory, type ListingReads, type StandingMemory } from './keptAnswers.ts';
import { openPhotoParts, type CompanionPhotos } from './openPhotos.ts';
import { createPersonTexts } from './personTexts.ts';
import type { CompanionAssistants } from './openAssistants.ts';
import { openPresence } from './openPresence.ts';
import { openProofMark } from './proofMark.ts';
import type { ApprovalProofs, Presence } from '../presence/presence.ts';
import { releaseMemoryWithoutWindows } from '../presence/windowSessions.ts';
import { openApprovalParts, type ApprovalParts } from './openApprovals.ts';
import { createMaintenance } from './maintenance.ts';
import { createWatchedFolder } from './watchedFolder.ts';
import { person, type Perform } from '../base/request.ts';
import { createProblem } from '../base/problem.ts';
import { canReconnect } from '../service/connection.ts';
import { createItemsService, type Items } from '../items/items.ts';
import { createPickList, type PickList } from '../shelf/pickList.ts';
import { createShelf, type Shelf } from '../shelf/shelf.ts';
import { getPlanPhotoCap } from '../items/choosePhotos.ts';
import { createSemaphore } from '../base/semaphore.ts';
import { createGenerationStandingReader } from '../service/allowance.ts';

type ItemsParts = {
  perform: Perform;
  photos: CompanionPhotos;
  approvalParts: Pick<ApprovalParts, 'approvals' | 'photoUploads' | 'extras'>;
  throttle: Pick<CompanionThrottle, 'writingSemaphore'>;
  standing: StandingMemory;
  assistants: Pick<CompanionAssistants, 'maySeeShelf'>;
};

const maxConcurrentSends = 3;

const createCompanionShelf = (services: CoreServices): Shelf =>
  createShelf({
    ...services,
    table: services.itemsTable.shelf,
    account: services.connection.account,
    usualCurrency: () => findListingCurrency(services.settings.settings()),
  });

type PickListParts = { services: CoreServices; listings: ListingsService; notifications: NotificationService };

const openPickList = ({ services, listings, notifications }: PickListParts): PickList =>
  createPickList({
    ...services,
    listings,
    readNotices: () => notifications.list().rows,
    account: services.connection.account,
  });

const createCompanionItems = (
  parts: CoreServices,
  { perform, photos, approvalParts, throttle, standing, assistants }: ItemsParts,
): Items => {
  const readCurrentStanding = async (signal: AbortSignal): Promise<Standing> => {
    const outcome = await perform({ by: person, unattended: true, route: 'readStanding', input: {}, signal });
    if (outcome.state !== 'done') throw createProblem('STANDING_UNKNOWN');
    return standingShape.parse(outcome.answer);
  };
  return createItemsService({
    ...parts,
    perform,
    photoUploads: approvalParts.photoUploads,
    runListingWrite: parts.locks.runWrite,
    dropPrompts: approvalParts.approvals.dropPromptsOfPhotos,
    writingSemaphore: throttle.writingSemaphore,
    extrasApproval: (by) => approvalParts.extras.findSpendable(by)?.extrasApprovalId ?? null,
    table: parts.itemsTable,
    account: parts.connection.account,
    workers: photos.workers,
    settings: parts.settings.settings,
    maySeeShelf: assistants.maySeeShelf,
    ...{ preparedDir: photos.preparedDir, copiesDir: photos.copiesDir },
    sendingSemaphore: createSemaphore(maxConcurrentSends),
    fetchStanding: readCurrentStanding,
    writingStanding: createGenerationStandingReader(parts.allowance, readCurrentStanding),
    photoCap: () => getPlanPhotoCap(standing.last()),
    readPhotoCap: async (signal) => getPlanPhotoCap(parts.allowance.recent() ?? (await readCurrentStanding(signal))),
    notifyWindows: () => parts.changed('items'),
  });
};

export type Companion = Awaited<ReturnType<typeof createOpenedCompanion>>;
export type { CompanionConfig } from './coreServices.ts';

const openRequestParts = (
  services: CoreServices,
  news: NewsNotifier,
  proofs: ApprovalProofs,
  later: { itemAdded: () => void; keyRevoked: () => void },
) => {
  const listingReads = createListingReads(services, news);
  const standing = createStandingMemory(services);
  const assistants = openAssistantParts(services);
  const { known, generations } = createGenerationMemory(services);
  const isChangingPhotos = createPhotoChangeCheck(services);
  const checkAsker = createAskerCheck({ ...assistants, known, isChangingPhotos });
  const approvalParts = openApprovalParts({
    services,
    assistants,
    listingReads,
    checkAsker,
    isChangingPhotos,
    proofs,
    generationStarted: (account, listingId) => generations.settled(account, listingId, true),
    ...later,
  });
  const throttle = openCompanionThrottle(services, listingReads, standing);
  const performer = createPerformer({
    ...services,
    ...assistants,
    ...approvalParts,
    ...{ listingReads, standing, checkAsker, generations },
    throttle: throttle.requests,
    account: () => services.connection.who()?.account ?? null,
  });
  return { listingReads, standing, assistants, approvalParts, throttle, performer };
};

type ListingFollowers = {
  listingReads: ListingReads;
  items: Items;
  approvals: ApprovalParts['approvals'];
  notifications: NotificationService;
};

/** Items, prompts and notices follow what is read about a listing. */
const followListingReads = ({ listingReads, items, approvals, notifications }: ListingFollowers): void => {
  listingReads.onKept((listing: Listing) => items.follow(listing));
  listingReads.onKept(({ listingId, status }) => notifications.followListing(listingId, status));
  listingReads.onKept(approvals.learnListing);
  listingReads.onForgotten(approvals.learnListingDeleted);
  listingReads.onEdited(items.listingEdited);
  listingReads.onForgotten(items.listingDeleted);
  listingReads.onMissed(items.listingMissed);
  listingReads.onMissed(approvals.learnListingDeleted);
  listingReads.onForgotten((listingId) => notifications.followListing(listingId, null));
};

/**
 * Creates the companion for one data folder. The host must hold the lock of the folder. Throws a `Problem` if the
 * folder cannot be written or is from a newer version.
 */
export const createCompanion = async (config: CompanionConfig, ports: Ports): Promise<Companion> => {
  const open = (): Promise<CheckedDatabase> =>
    openCheckedDatabase({ reportStart: () => undefined, ...config, clock: ports.clock });
  const database = await open();
  const { db, check } = database.opened;
  try {
    return await createOpenedCompanion(config, ports, database);
  } catch (error) {
    if (check === null) throw error;
    // A start that must write, for example to raise an alarm, waits for the check.
    database.onCheckAwaited();
    await check;
    db.close();
  }
  return createOpenedCompanion(config, ports, await open());
};

const createOpenedCompanion = async (config: CompanionConfig, ports: Ports, database: CheckedDatabase) => {
  const services = await openCoreServices(config, ports, database);
  const news = createNewsNotifier(services);
  const proofMark = await openProofMark(services);
  const presence = openPresence(services, config, proofMark, {
    readPrompts: (prompts, windowSession) => approvals.readPromptsToProve(prompts, windowSession),
    pauseAssistants: () => {
      for (const { assistantId } of assistants.assistants.list().assistants) access.pause(assistantId);
    },
  });
  const requests = openRequestParts(services, news, presence.approvalProofs, {
    itemAdded: () => items.removeAddedItems(),
    keyRevoked: () => lifecycle.keyRevoked(),
  });
  const { listingReads, assistants, performer } = requests;
  const { approvals } = requests.approvalParts;
  const working = { ...services, perform: performer.perform };
  const listings = createListingsService({
    ...working,
    forget: listingReads.forget,
    hasItem: (listingId) => services.itemsTable.ofListing(services.connection.account(), listingId) !== null,
  });
  const notifications = createNotificationService(working);
  const photos = openPhotoParts(services, config.startPhotoProcess);
  const items = createCompanionItems(services, { ...requests, perform: performer.perform, photos });
  followListingReads({ listingReads, items, approvals, notifications });
  releaseMemoryWithoutWindows(approvals.windowSessions, services.clock, [items.releaseTexts, config.collectGarbage]);
  const shelf = createCompanionShelf(services);
  const { add, settleRepeats, addInto, replacePhoto } = createPhotoActions(services, { items, photos, shelf });
  const watched = createWatchedFolder(services, config.dataDir, add);
  const access = createAssistantAccess({ services, ...assistants, approvals });
  const upkeep = createMaintenance(services, approvals, items, performer.perform);
  const exported = createExports(services, config);
  const backups = createDailyBackupService({ ...services, copyDatabase: exported.exports.copyDatabase });
  const parts = {
    ...requests,
    ...{ config, services, approvals, access, listings, notifications, news },
    ...{ items, photos, upkeep, backups, watched, addInto, replacePhoto, presence },
    exports: exported.exports,
  };
  const lifecycle = createLifecycle(parts);

  return {
    personTexts: createPersonTexts(services.settings.settings),
    ...createCompanionApi({ ...parts, shelf, add, settleRepeats, lifecycle }),
    onListingNews: news.onListingNews,
    ...{ ...lifecycle, ...exported, presence, shelf, pickList: openPickList(parts) },
    batches: createBatchService({
      ...services,
      account: services.connection.account,
      approvals,
      throttle: requests.throttle.requests,
      nameLike: assistants.assistants.nameLike,
      requestInBatch: performer.askInBatch,
    }),
    dataCheck: services.dataCheck,
    readCallState: createCallStateReader(services, presence, assistants.assistants),
    /** Records that the settings of a client, such as an AI app, were written. */
    recordClientWritten: (name: string): void => recordNow(services, 'client.written', { name }),
  };
};

type PhotoActionParts = { items: Items; photos: CompanionPhotos; shelf: ReturnType<typeof createCompanionShelf> };

/** Photos that arrive while the database is checked wait for the end of the check, so that the person drops them once. */
const createPhotoActions = (
  { dataCheck: { runWhenWritable }, settings }: CoreServices,
  { items, photos, shelf }: PhotoActionParts,
) => {
  const { add, settleRepeats } = createPhotoImporter(items, photos, shelf, settings.settings);
  const addInto = createPhotoAdder(items, photos.intake);
  const replacePhoto = createPhotoReplacer(items, photos.intake);
  return {
    settleRepeats,
    add: (...given: Parameters<typeof add>) => runWhenWritable(() => add(...given)),
    addInto: (...given: Parameters<typeof addInto>) => runWhenWritable(() => addInto(...given)),
    replacePhoto: (...given: Parameters<typeof replacePhoto>) => runWhenWritable(() => replacePhoto(...given)),
  };
};

/** Creates the function that returns the state by which a call of the window is judged to weaken protection or not. */
const createCallStateReader =
  (
    { settings, connection }: CoreServices,
    presence: Presence,
    { widensAccess }: Pick<CompanionAssistants['assistants'], 'widensAccess'>,
  ) =>
  () => ({
    relaxedMinutes: presence.readState().relaxedMinutes,
    settings: settings.settings(),
    canReconnect: (email: string) => canReconnect(connection, email),
    widensAccess,
  });

const recordNow = ({ ledger, clock }: CoreServices, kind: string, facts: Record<string, unknown>): void =>
  ledger.append(clock.now(), kind, facts);

/** An export leaves the machine, so it is recorded. The exported file does not contain its own row. */
const createExports = (services: CoreServices, { startDataThread }: CompanionConfig) => {
  const receipts = createReceiptExporter(services);
  const record = (facts: Record<string, unknown>): void => recordNow(services, 'history.exported', facts);
  return {
    searchHistory: createHistoryService(services),
    exports: createFileExports({ ...services, startDataThread, record }),
    receipts: {
      exportReceipt: (approvalId: string) => {
        const file = receipts.exportReceipt(approvalId);
        record({ approvalId });
        return file;
      },
    },
  };
};
