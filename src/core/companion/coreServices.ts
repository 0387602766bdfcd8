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

/** The practice shop: empty, or with a sales history. */
export type PracticeShop = 'empty' | 'stocked';

/**
 * The practice person to use: one with such a shop (`anew`: a new one without any history), or the existing one with
 * an e-mail address.
 */
export type PracticeRequest = { shop: PracticeShop; anew: boolean } | { again: string };

/** A person of the practice service, with a new key. */
export type PracticePerson = {
  userId: string;
  email: string;
  agentKey: string;
  /** The name of the shop's built-in assistant, if it has one. */
  assistant?: string | undefined;
};

/** The configuration of a companion. */
export type CompanionConfig = {
  dataDir: string;
  version: string;
  service: { kind: 'practice' | 'remote'; url: string };
  /** The policy for addresses that the service or an assistant names; by default that of `createOutboundPolicy`. */
  outside?: Outside;
  /** Starts the process that decodes photos. */
  startKitchen: StartProcess;
  /** Finds or creates a person of the practice service; null with a remote service. */
  practicePerson: ((wish: PracticeRequest) => Promise<PracticePerson>) | null;
};

/** The stores in the data folder. */
type Stores = {
  db: Db;
  /** Waits until all writes so far are on disk; see `untilOnDisk`. */
  onDisk: () => Promise<void>;
  /** Returns the path of a folder inside the data folder. */
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

/** The layers of the service client; see `openServiceClients`. */
type Service = {
  pacing: Pacing;
  lostAnswers: LostAnswers;
  /** Pauses all background work. */
  gate: Gate;
  /** The client that respects listing locks and waits for a faulty service. */
  client: LockedClient;
  /** Creates a client that sends with another key than the connected one. */
  clientOf: (key: string) => ServiceClient;
  /** Sends an approved request past the listing locks. */
  sendApproved: SendApproved;
  answers: ResponseCache & { client: LockedClient; shared: ServiceClient };
  quotes: Quotes;
  allowance: Allowance;
  pageWatch: PageWatch;
  locks: ListingLocks;
  boundPhotos: BoundPhotos;
  live: LiveRoutes;
};

/** The services that the rest of the core builds on. */
export type CoreServices = Ports &
  Events &
  Stores &
  Service & {
    connection: Connection;
    outside: Outside;
    ages: StoredAges;
    pageLinks: PageLinks;
    /** Why the service cannot be reached, as a sentence; null if it can. */
    offline: () => string | null;
  };

const offlineSentence = englishText('notices.offline');

const connectionLost: Notice = {
  kind: 'connection',
  ...noticeText(message('notices.connectionEnded'), message('notices.connectAgain')),
  place: '/account',
};

/** Opens the data stores, the connection and the service clients. */
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
  if (repaired) ports.log('error', 'the database was damaged and has been rebuilt', { copy: repaired.from ?? 'none' });
  const access = openAccess(dataDir, db, settings, ports);
  const signedLedger = await openLedger({
    ...ports,
    db,
    isFresh,
    settings,
    changed: events.changed,
    // A restored database may contain rights and extras that were revoked since.
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
 * Creates the layers of the service client, from the inside out: record quotes, cache answers, keep locked listings
 * from all but approved requests, and delay unattended calls while the service has a fault.
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
  // While an approval of a listing is being decided, only the approved request passes its lock.
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
    // A key that is being tried is read with once, outside the caches of the connected account.
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

/** Opens the access log and compares it with the assistants in the database. */
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

/** Runs a change and its ledger row in one transaction. */
const recordedIn =
  (db: Db, ledger: Ledger, clock: Clock) =>
  (kind: string, facts: Record<string, unknown>, change: () => void): void =>
    db.transaction(() => {
      change();
      ledger.append(clock.now(), kind, facts);
    })();

/** Tracks whether the service can be reached, as a sentence for windows. */
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
