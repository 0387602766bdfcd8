import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { englishText } from '../../i18n/english.ts';
import { message } from '../../i18n/message.ts';
import type { Ledger } from '../approvals/ledger/ledger.ts';
import {
  approvedSender,
  createListingLocks,
  lockClient,
  type ListingLocks,
  type LockedClient,
  type SendApproved,
} from '../approvals/listingLocks.ts';
import { createQuotes, type Quotes } from '../approvals/promptReads.ts';
import { openLedger, type OpenedLedger } from '../approvals/ledger/openLedger.ts';
import { createEvents, type Events } from '../base/events.ts';
import { createGate, type Gate } from '../base/gate.ts';
import { noticeText } from '../base/messages.ts';
import { createStoredAges, type StoredAges } from '../base/storedAges.ts';
import type { Clock, Notice, Notify, Ports } from '../base/ports.ts';
import { createBoundPhotos, type BoundPhotos } from '../photos/boundPhotos.ts';
import { watchAllowance, type Allowance } from '../service/allowance.ts';
import { openConnection, type Connection } from '../service/connection.ts';
import { createPageLinks, type PageLinks } from '../listings/pageLinks.ts';
import { createLiveRoutes, type LiveRoutes } from '../service/liveRoutes.ts';
import {
  noteSlots,
  paceClient,
  createServiceClient,
  type ServiceClient,
  withFailpoints,
} from '../service/serviceClient.ts';
import { createPacing, type Pacing } from '../service/pacing/pacing.ts';
import { createLostAnswers, type LostAnswers } from '../service/pacing/lostAnswers.ts';
import { createPageWatch, type PageWatch } from '../service/personPages.ts';
import { createResponseCache, shareReads, type ResponseCache } from '../service/throttle/responseCache.ts';
import { refusingLiveElsewhere } from './liveElsewhere.ts';
import { openAccessLog, type AccessLog } from '../storage/accessLog.ts';
import { createOutside, type Outside } from '../service/outside.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { backupsDir } from '../storage/backups.ts';
import { isEmptyDatabase, type Db } from '../storage/database.ts';
import { untilOnDisk } from '../storage/onDisk.ts';
import { openRepaired, restoredName } from '../storage/restore.ts';
import { approvalsTable, type ApprovalsTable } from '../storage/tables/approvalsTable.ts';
import { assistantsTable } from '../storage/tables/assistantsTable.ts';
import { extrasTable } from '../storage/tables/extrasTable.ts';
import { arrangementsTable, type ArrangementsTable } from '../storage/tables/arrangementsTable.ts';
import { generationsTable, type GenerationsTable } from '../storage/tables/generationsTable.ts';
import { itemsTable, type ItemsTable } from '../storage/tables/itemsTable.ts';
import {
  bulkEditsTable,
  type BulkEditsTable,
  listingsTable,
  type ListingsTable,
  writtenTable,
  type WrittenTable,
} from '../storage/tables/listingsTable.ts';
import { settingsTable, type SettingsTable } from '../storage/tables/settingsTable.ts';

/** A shop that the person begins with nothing in, or one that has been kept for a while. */
export type PracticeShop = 'empty' | 'stocked';

/**
 * Who is to practise: somebody with such a shop, with `anew` one who has done nothing yet; or again the one of an address.
 */
export type PracticeRequest = { shop: PracticeShop; anew: boolean } | { again: string };

/** A person of the practice service, with a new key. */
export type PracticePerson = {
  userId: string;
  email: string;
  agentKey: string;
  /** The name of the assistant that comes with the shop, where one does. */
  assistant?: string | undefined;
};

/** What a companion is made for. */
export type CompanionConfig = {
  dataDir: string;
  version: string;
  service: { kind: 'practice' | 'remote'; url: string };
  /** Where photos are read and put on the word of others; by default where `createOutside` allows it. */
  outside?: Outside;
  /** Starts the process that decodes photos. */
  startKitchen: StartProcess;
  /** Finds or makes who practises at the practice service; null with a remote one. */
  practicePerson: ((wish: PracticeRequest) => Promise<PracticePerson>) | null;
};

/** The stores of the data folder. */
type Stores = {
  db: Db;
  /** Waits until everything is on disk that was written so far; see `untilOnDisk`. */
  onDisk: () => Promise<void>;
  /** A folder inside the data folder. */
  dir: (name: string) => string;
  backupsDir: string;
  settings: SettingsTable;
  listings: ListingsTable;
  written: WrittenTable;
  bulkEdits: BulkEditsTable;
  generations: GenerationsTable;
  itemsTable: ItemsTable;
  arrangements: ArrangementsTable;
  approvalsTable: ApprovalsTable;
  access: AccessLog;
  ledger: Ledger;
  signedLedger: OpenedLedger;
};

/** The way to the service, of which each wrapper adds one rule; see `openService`. */
type Service = {
  pacing: Pacing;
  lostAnswers: LostAnswers;
  /** What holds everything back that goes on by itself. */
  gate: Gate;
  /** Waits for locks and for a service that has a fault. */
  client: LockedClient;
  /** A client that sends with another key than the connected one's. */
  clientOf: (key: string) => ServiceClient;
  /** Past the locks, with a yes. */
  sendApproved: SendApproved;
  answers: ResponseCache & { client: LockedClient; shared: ServiceClient };
  quotes: Quotes;
  allowance: Allowance;
  pageWatch: PageWatch;
  locks: ListingLocks;
  boundPhotos: BoundPhotos;
  live: LiveRoutes;
};

/** What everything else in the core stands on. */
export type CoreServices = Ports &
  Events &
  Stores &
  Service & {
    connection: Connection;
    outside: Outside;
    ages: StoredAges;
    pageLinks: PageLinks;
    /** Why the service is not reached right now, in words; null when it is. */
    offline: () => string | null;
  };

const offlineSentence = englishText('notices.offline');

const connectionLost: Notice = {
  kind: 'connection',
  ...noticeText(message('notices.connectionEnded'), message('notices.connectAgain')),
  place: '/account',
};

/** Opens the stores of the data folder, the connection and the client of the service. */
export const openCoreServices = async (config: CompanionConfig, given: Ports): Promise<CoreServices> => {
  const events = createEvents(given.log);
  const stores = await openStores(config.dataDir, given, events);
  const { settings, signedLedger } = stores;
  const notify: Notify = (notice) => {
    if (settings.settings().notify[notice.kind]) given.notify(notice);
  };
  const ports: Ports = { ...given, notify };
  const connection = await openConnection({
    settings,
    secrets: ports.secrets,
    service: config.service.kind === 'practice' ? 'practice' : config.service.url,
    record: recordedIn(stores.db, signedLedger.ledger, ports.clock),
  });
  const reach = trackReach(events);
  const keyDied = (): void => {
    if (connection.state() === 'connected') notify(connectionLost);
    connection.died();
    events.changed('app');
  };
  const outside = config.outside ?? createOutside(() => config.service.url);
  const base = { ...ports, ...events, ...stores, connection, outside, ages: createStoredAges(ports.clock) };
  return {
    ...base,
    ...openService(base, config.service, { reached: reach.noted, keyDied }),
    pageLinks: createPageLinks({ ...base, serviceUrl: () => config.service.url }),
    offline: reach.offline,
  };
};

const openStores = async (dataDir: string, ports: Ports, events: Events): Promise<Stores> => {
  const dir = (name: string): string => join(dataDir, name);
  mkdirSync(dir('prepared'), { recursive: true });
  const { db, repaired } = openRepaired(dataDir, ports.clock.now());
  const isFresh = isEmptyDatabase(db);
  const settings = settingsTable(db);
  if (repaired) ports.log('error', 'the database was damaged and is made anew', { copy: repaired.from ?? 'none' });
  const access = openAccess(dataDir, db, settings, ports);
  const signedLedger = await openLedger({
    ...ports,
    db,
    isFresh,
    settings,
    changed: events.changed,
    // Rights and extras may be back that were taken away since.
    cameBack: () => {
      access.hold();
      extrasTable(db).endAll();
    },
  });
  return {
    db,
    onDisk: () => untilOnDisk(db),
    dir,
    backupsDir: backupsDir(dataDir),
    settings,
    listings: listingsTable(db),
    written: writtenTable(db),
    bulkEdits: bulkEditsTable(db),
    generations: generationsTable(db),
    itemsTable: itemsTable(db),
    arrangements: arrangementsTable(db),
    approvalsTable: approvalsTable(db),
    access,
    ledger: signedLedger.ledger,
    signedLedger,
  };
};

type ServiceNeeds = Ports & Events & Stores & { connection: Connection; outside: Outside; ages: StoredAges };
type ServiceEvents = { reached: (ok: boolean) => void; keyDied: () => void };

/**
 * The clients of the service, from the bare one outwards: quotes are noted, answers remembered, locked listings kept from
 * everybody but an approved request, and what nobody waits for waits for a service that has a fault.
 */
const openService = (needs: ServiceNeeds, at: CompanionConfig['service'], events: ServiceEvents): Service => {
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
  const direct = withFailpoints(
    createServiceClient({ baseUrl: () => at.url, key: connection.key, clock, pacing, onDisk, ...events }),
  );
  const allowance = watchAllowance(direct, clock, account);
  const quotes = createQuotes(noteSlots(allowance.client, boundPhotos.slotOpened), clock, account);
  const remembered = createResponseCache({
    service: quotes.client,
    clock,
    account,
    pacing,
    isPageOpen: () => pageWatch.isOpen(),
  });
  const pageWatch = createPageWatch({ ...needs, client: remembered.client });
  // Nobody but an approved request gets past the lock of a listing that is being decided.
  const locks = createListingLocks(clock);
  const knownIds = (): string[] => needs.listings.ids(account() ?? '');
  const locked = lockClient(refusingLiveElsewhere({ ...remembered, clock, pacing, knownIds }), locks);
  const client = paceClient(locked, pacing.service, gate.pass);
  const shared = paceClient(shareReads(remembered, locked), pacing.service, gate.pass);
  return {
    pacing,
    lostAnswers: createLostAnswers(clock, ages),
    gate,
    client,
    // Whoever tries a key reads with it once, past everything that is kept for the connected one.
    clientOf: (key) =>
      createServiceClient({
        ...{ baseUrl: () => at.url, clock, pacing, onDisk },
        ...{ key: async () => key, reached: events.reached, keyDied: () => undefined },
      }),
    sendApproved: approvedSender(remembered.client, locks),
    answers: { ...remembered, client, shared },
    quotes,
    allowance,
    pageWatch,
    locks,
    boundPhotos,
    live: createLiveRoutes(client),
  };
};

/** Opens what is known of assistants outside the database, and holds it against what the database says. */
const openAccess = (dataDir: string, db: Db, settings: SettingsTable, { clock, log }: Ports): AccessLog =>
  openAccessLog({
    dataDir,
    log,
    now: clock.now,
    assistants: assistantsTable(db)
      .all()
      .map(({ assistant_id: id, stamp }) => ({ id, stamp })),
    isRestored: settings.read(restoredName, z.unknown()) !== null,
  });

/** Makes a change and its row in the ledger together, or neither. */
const recordedIn =
  (db: Db, ledger: Ledger, clock: Clock) =>
  (kind: string, facts: Record<string, unknown>, change: () => void): void =>
    db.transaction(() => {
      change();
      ledger.append(clock.now(), kind, facts);
    })();

/** Whether the service answers, as a sentence for the windows. */
const trackReach = ({ changed }: Events) => {
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
