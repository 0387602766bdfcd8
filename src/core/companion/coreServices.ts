import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { formatEnglishText } from '../../i18n/english.ts';
import { createMessage } from '../../i18n/message.ts';
import type { Ledger } from '../approvals/ledger/ledger.ts';
import {
  createApprovedSender,
  createListingLockRegistry,
  createLockedClient,
  type ListingLockRegistry,
  type LockedClient,
  type SendApproved,
} from '../approvals/listingLocks.ts';
import { createQuoteCache, type Quotes } from '../approvals/prompts/promptReads.ts';
import { openLedger, type OpenedLedger } from '../approvals/ledger/openLedger.ts';
import { createEventBus, type EventBus } from '../base/events.ts';
import { createGate, type Gate } from '../base/gate.ts';
import { formatNoticeTexts } from '../base/messages.ts';
import { createStoredAgeTracker, type StoredAgeTracker } from '../base/storedAges.ts';
import type { Clock, Notice, Notify, Ports } from '../base/ports.ts';
import { createProtectionNotifier } from '../notifications/protectionNotices.ts';
import { createBoundPhotos, type BoundPhotos } from '../photos/boundPhotos.ts';
import { createAllowanceTracker, type Allowance } from '../service/allowance.ts';
import { openServiceConnection, type Connection } from '../service/connection.ts';
import { createPageLinkChecker, type PageLinkChecker } from '../listings/pageLinks.ts';
import { createDuplicateFinder, type FindDuplicates } from '../listings/duplicates.ts';
import { createWarningReader, type ReadListingWarnings } from '../listings/warningReader.ts';
import { createWarningFactsTable } from '../storage/tables/listings/warningFactsTable.ts';
import { createDuplicatesTable, type DuplicatesTable } from '../storage/tables/listings/duplicatesTable.ts';
import { createLiveRouteStore, type LiveRouteStore } from '../service/liveRoutes.ts';
import {
  createSlotObservingClient,
  createPacedClient,
  createServiceClient,
  type ServiceClient,
  createFailpointClient,
} from '../service/serviceClient.ts';
import { createServiceClock, type ServiceClock } from '../service/serviceClock.ts';
import { createPacing, type Pacing } from '../service/pacing/pacing.ts';
import { createLostAnswerTracker, type LostAnswerTracker } from '../service/pacing/lostAnswers.ts';
import { createPageWatch, type PageWatch } from '../service/personPages.ts';
import { createResponseCache, createReadSharingClient, type ResponseCache } from '../service/throttle/responseCache.ts';
import type { ItemsContext } from '../items/itemsContext.ts';
import { checkLedgerInThread, estimateBordersInThread, type StartDataThread } from './dataTasks/dataTask.ts';
import { guardRelistClient } from './requests/guardRelistClient.ts';
import { openAccessLog, type AccessLog } from '../storage/accessLog.ts';
import { createOutboundPolicy, type OutboundPolicy } from '../service/outboundPolicy.ts';
import type { SystemPrompt } from '../presence/presenceContext.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { getBackupsDir } from '../storage/backupFiles.ts';
import { isEmptyDatabase, type Db } from '../storage/database.ts';
import { waitUntilSynced } from '../storage/unsyncedWrites.ts';
import { restoredSettingName } from '../storage/restore.ts';
import { followCheck, type CheckedDatabase, type DataCheck } from './dataTasks/dataCheck.ts';
import type { ReportStart } from './dataTasks/prepareData.ts';
import { createApprovalsTable, type ApprovalsTable } from '../storage/tables/approvalsTable.ts';
import { createAssistantsTable } from '../storage/tables/assistantsTable.ts';
import { createExtrasTable } from '../storage/tables/extrasTable.ts';
import { createArrangementsTable, type ArrangementsTable } from '../storage/tables/arrangementsTable.ts';
import { createGenerationsTable, type GenerationsTable } from '../storage/tables/generationsTable.ts';
import { createItemsTable, type ItemsTable } from '../storage/tables/itemsTable.ts';
import {
  createBulkEditsTable,
  type BulkEditsTable,
  createListingsTable,
  type ListingsTable,
  createFirstReviewedTable,
  type FirstReviewedTable,
} from '../storage/tables/listings/listingsTable.ts';
import { createSalesTable, type SalesTable } from '../storage/tables/salesTable.ts';
import { createSettingsTable, type SettingsTable } from '../storage/tables/settingsTable.ts';

export type PracticeShop = 'empty' | 'stocked';

/** `fresh`: create a person without sales history. `again`: use the person with this e-mail address. */
export type PracticeRequest = { shop: PracticeShop; fresh: boolean } | { again: string };

export type PracticePerson = {
  userId: string;
  email: string;
  agentKey: string;
  assistant?: string | undefined;
};

export type CompanionConfig = {
  dataDir: string;
  version: string;
  service: { kind: 'practice' | 'remote'; url: string };
  /**
   * Decides which addresses from the service or an assistant may be requested. The default is `createOutboundPolicy`.
   */
  outside?: OutboundPolicy;
  startPhotoProcess: StartProcess;
  /** Starts a thread for work on much data. */
  startDataThread: StartDataThread;
  reportStart?: ReportStart;
  /** Frees the memory of objects that are not in use. Blocks for up to 50 ms. */
  collectGarbage?: () => void;
  /** Finds or creates a person of the practice service. Null if the service is real. */
  practicePerson: ((wish: PracticeRequest) => Promise<PracticePerson>) | null;
  /** The dialog of the operating system that asks for a fingerprint or password, if the host has one. */
  systemPrompt?: SystemPrompt | undefined;
  /** The scrypt cost of a new PIN. */
  pinCost?: number;
};

type Stores = {
  db: Db;
  dataCheck: DataCheck;
  onDisk: () => Promise<void>;
  dir: (name: string) => string;
  backupsDir: string;
  settings: SettingsTable;
  listings: ListingsTable;
  written: FirstReviewedTable;
  bulkEdits: BulkEditsTable;
  sales: SalesTable;
  generations: GenerationsTable;
  itemsTable: ItemsTable;
  arrangements: ArrangementsTable;
  estimateBorders: ItemsContext['estimateBorders'];
  approvalsTable: ApprovalsTable;
  access: AccessLog;
  ledger: Ledger;
  signedLedger: OpenedLedger;
};

type ServiceParts = {
  serviceClock: ServiceClock;
  pacing: Pacing;
  lostAnswers: LostAnswerTracker;
  gate: Gate;
  /** Refuses to change locked listings. Delays unattended requests while the service is down. */
  client: LockedClient;
  /** Creates a client that uses another key than the connected account. */
  clientOf: (key: string) => ServiceClient;
  sendApproved: SendApproved;
  answers: ResponseCache & { client: LockedClient; shared: ServiceClient };
  quotes: Quotes;
  allowance: Allowance;
  pageWatch: PageWatch;
  locks: ListingLockRegistry;
  boundPhotos: BoundPhotos;
  live: LiveRouteStore;
};

export type CoreServices = Ports &
  EventBus &
  Stores &
  ServiceParts & {
    connection: Connection;
    outside: OutboundPolicy;
    ages: StoredAgeTracker;
    pageLinks: PageLinkChecker;
    readWarnings: ReadListingWarnings;
    duplicates: DuplicatesTable;
    findDuplicates: FindDuplicates;
    offline: () => string | null;
  };

const offlineSentence = formatEnglishText('notices.offline');

const connectionLost: Notice = {
  kind: 'connection',
  ...formatNoticeTexts(createMessage('notices.connectionEnded'), createMessage('notices.connectAgain')),
  place: '/account',
};

/** Opens the tables, the connection and the clients of the service. */
export const openCoreServices = async (
  config: CompanionConfig,
  given: Ports,
  database: CheckedDatabase,
): Promise<CoreServices> => {
  const events = createEventBus(given.log);
  const stores = await openDataStores(config, given, { events, database });
  const { settings, signedLedger } = stores;
  const notify: Notify = (notice) => {
    if (notice.kind === 'protection' || settings.settings().notify[notice.kind]) given.notify(notice);
  };
  const ports: Ports = { ...given, notify };
  const service = config.service.kind === 'practice' ? 'practice' : config.service.url;
  const record = createLedgerRecorder(stores.db, signedLedger.ledger, ports.clock);
  recordServiceChange({ settings, record }, service);
  const connection = await openServiceConnection({ settings, secrets: ports.secrets, service, record });
  const reach = trackServiceReachability(events);
  const keyDied = (): void => {
    if (connection.state() === 'connected') notify(connectionLost);
    connection.markKeyDead();
    events.changed('app');
  };
  const duplicates = createDuplicatesTable(stores.db);
  const findDuplicates = createDuplicateFinder(duplicates, stores.itemsTable, connection.account);
  const outside = config.outside ?? createOutboundPolicy(() => config.service.url);
  const base = { ...ports, ...events, ...stores, connection, outside, ages: createStoredAgeTracker(ports.clock) };
  return {
    ...base,
    ...openServiceClients(base, config.service, { reached: reach.noted, keyDied }),
    pageLinks: createPageLinkChecker({ ...base, serviceUrl: () => config.service.url }),
    ...{ duplicates, findDuplicates },
    readWarnings: createWarningReader(createWarningFactsTable(stores.db), findDuplicates, connection.account),
    offline: reach.offline,
  };
};

const openDataStores = async (
  { dataDir, startDataThread }: CompanionConfig,
  ports: Ports,
  { events, database }: { events: EventBus; database: CheckedDatabase },
): Promise<Stores> => {
  const dir = (name: string): string => join(dataDir, name);
  mkdirSync(dir('prepared'), { recursive: true });
  const { db, repaired } = database.opened;
  const isFresh = isEmptyDatabase(db);
  const settings = createSettingsTable(db);
  if (repaired) ports.log('error', 'the database was damaged and has been rebuilt', { copy: repaired.from ?? 'none' });
  const access = openCheckedAccessLog(dataDir, db, settings, ports);
  const signedLedger = await openLedger({
    ...ports,
    db,
    isFresh,
    settings,
    changed: events.changed,
    onAppended: createProtectionNotifier(ports.notify),
    // A restored database can contain rights and extras that have been revoked since the backup.
    onOlderDatabase: () => {
      access.suspendAll();
      createExtrasTable(db).endAll();
    },
    checkInThread: (signal) => checkLedgerInThread(startDataThread, db.name, signal),
  });
  return {
    db,
    dataCheck: followCheck(database, { changed: events.changed, log: ports.log }),
    onDisk: () => waitUntilSynced(db),
    dir,
    backupsDir: getBackupsDir(dataDir),
    settings,
    listings: createListingsTable(db),
    written: createFirstReviewedTable(db),
    bulkEdits: createBulkEditsTable(db),
    sales: createSalesTable(db),
    generations: createGenerationsTable(db),
    itemsTable: createItemsTable(db),
    arrangements: createArrangementsTable(db),
    estimateBorders: (query, signal) => estimateBordersInThread(startDataThread, db.name, { query, signal }),
    approvalsTable: createApprovalsTable(db),
    access,
    ledger: signedLedger.ledger,
    signedLedger,
  };
};

type ServiceNeeds = Ports &
  EventBus &
  Stores & { connection: Connection; outside: OutboundPolicy; ages: StoredAgeTracker };
type ServiceEvents = { reached: (ok: boolean) => void; keyDied: () => void };

/**
 * Wraps the service client in layers, from the inside out: quotes, response cache, listing locks, delays while the
 * service is down.
 */
const openServiceClients = (
  needs: ServiceNeeds,
  at: CompanionConfig['service'],
  events: ServiceEvents,
): ServiceParts => {
  const { ages, clock, connection, db, dir, onDisk } = needs;
  const account = (): string | null => connection.who()?.account ?? null;
  const boundPhotos = createBoundPhotos({
    ...needs,
    db,
    dir: dir('bound-photos'),
    account,
  });
  const pacing = createPacing(needs);
  const gate = createGate(clock);
  const serviceClock = createServiceClock(clock, () => at.url);
  const noteDate = serviceClock.note;
  const direct = createFailpointClient(
    createServiceClient({ baseUrl: () => at.url, key: connection.key, clock, pacing, onDisk, noteDate, ...events }),
  );
  const allowance = createAllowanceTracker(direct, clock, account);
  const quotes = createQuoteCache(createSlotObservingClient(allowance.client, boundPhotos.slotOpened), clock, account);
  const remembered = createResponseCache({
    service: quotes.client,
    clock,
    account,
    pacing,
    isPageOpen: () => pageWatch.isOpen(),
  });
  const pageWatch = createPageWatch({ ...needs, client: remembered.client });
  // While an approval of a listing is being decided, only the approved request may change the listing.
  const locks = createListingLockRegistry(clock);
  const knownIds = (): string[] => needs.listings.ids(account() ?? '');
  const locked = createLockedClient(guardRelistClient({ ...remembered, clock, pacing, knownIds }), locks);
  const client = createPacedClient(locked, pacing.service, gate.waitWhilePaused);
  const shared = createPacedClient(createReadSharingClient(remembered, locked), pacing.service, gate.waitWhilePaused);
  return {
    pacing,
    serviceClock,
    lostAnswers: createLostAnswerTracker(clock, ages),
    gate,
    client,
    // A key that the person tries must not use the caches of the connected account.
    clientOf: (key) =>
      createServiceClient({
        ...{ baseUrl: () => at.url, clock, pacing, onDisk, noteDate },
        ...{ key: async () => key, reached: events.reached, keyDied: () => undefined },
      }),
    sendApproved: createApprovedSender(remembered.client, locks),
    answers: { ...remembered, client, shared },
    quotes,
    allowance,
    pageWatch,
    locks,
    boundPhotos,
    live: createLiveRouteStore(client),
  };
};

const openCheckedAccessLog = (dataDir: string, db: Db, settings: SettingsTable, { clock, log }: Ports): AccessLog =>
  openAccessLog({
    dataDir,
    log,
    now: clock.now,
    assistants: createAssistantsTable(db)
      .all()
      .map(({ assistant_id: id, stamp }) => ({ id, stamp })),
    isRestoredDatabase: settings.read(restoredSettingName, z.unknown()) !== null,
  });

/** Runs a change and appends its ledger row in one transaction. */
const createLedgerRecorder =
  (db: Db, ledger: Ledger, clock: Clock) =>
  (kind: string, facts: Record<string, unknown>, change: () => void): void =>
    db.transaction(() => {
      change();
      ledger.append(clock.now(), kind, facts);
    })();

const serviceSettingName = 'service';

/** Records a change of the service, because any program can start the companion with another service address. */
const recordServiceChange = (
  { settings, record }: Pick<Stores, 'settings'> & { record: ReturnType<typeof createLedgerRecorder> },
  service: string,
): void => {
  const before = settings.read(serviceSettingName, z.string());
  if (before === service) return;
  const store = (): void => settings.write(serviceSettingName, service);
  if (before === null) store();
  else record('service.changed', { before, service }, store);
};

const trackServiceReachability = ({ changed }: EventBus) => {
  let offline: string | null = null;
  return {
    offline: () => offline,
    noted: (ok: boolean): void => {
      const sentence = ok ? null : offlineSentence;
      if (sentence === offline) return;
      offline = sentence;
      changed('app');
    },
  };
};
