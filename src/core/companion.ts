import { standing as standingShape, type Listing, type Standing } from '../contract/index.ts';
import type { Asker, DeclineReason } from './approvals/approval.ts';
import { createApprovals } from './approvals/engine.ts';
import { promptReads } from './approvals/promptReads.ts';
import type { AppState } from './appState.ts';
import { createBatches } from './approvals/batches.ts';
import { createHistory } from './approvals/history.ts';
import { createAssistants } from './assistants/assistants.ts';
import { createBudget } from './assistants/budget.ts';
import { createScope } from './assistants/scope.ts';
import { extrasMemory } from './extrasMemory.ts';
import { createConnecting } from './connecting.ts';
import { createListings } from './listings/listings.ts';
import { findPhoto } from './findPhoto.ts';
import { addPhotos, type PhotoSource } from './items/addPhotos.ts';
import { createItems } from './items/items.ts';
import { neededFiles } from './items/neededFiles.ts';
import { createPlaces } from './items/places.ts';
import { openConduct } from './conduct/openConduct.ts';
import { createActivity } from './assistants/activity.ts';
import { createAssistantWork } from './assistants/assistantWork.ts';
import { createListingPhotos } from './assistants/listingPhotos.ts';
import { createOffers } from './assistants/offers.ts';
import { photoCap } from './items/photoCap.ts';
import { openParts, type CoreParts } from './openParts.ts';
import { performer } from './perform.ts';
import { createIntake } from './photos/intake.ts';
import { createPhotoDisk } from './photos/photoDisk.ts';
import { createWatchFolder } from './photos/watchFolder.ts';
import { watchedFiles } from './photos/watchedFiles.ts';
import { createPhotoWorkers } from './photos/workers.ts';
import { sweepUnfinished } from './photos/sweepUnfinished.ts';
import type { Ports } from './ports.ts';
import { Problem } from './problem.ts';
import type { Settings } from './settings.ts';
import { createNews } from './news.ts';
import { workCounter, type Work } from './items/work.ts';
import { createUpkeep } from './upkeep.ts';

export type CompanionConfig = {
  dataDir: string;
  version: string;
  service: { kind: 'practice' | 'remote'; url: string };
  photoWorkerUrl: URL;
  /** Makes the person at the practice service, or a new key for the one who is there; null with a remote service. */
  practicePerson: (() => Promise<{ userId: string; email: string; agentKey: string }>) | null;
};

export type Companion = Awaited<ReturnType<typeof createCompanion>>;

const person: Asker = { kind: 'person' };
const historyShown = 200;
const itemsSentAtOnce = 3;

/**
 * Wires the companion on one data folder. `start` takes up what was on its way; `stop` leaves everything as it is on
 * disk. The host holds the folder's lock. Throws a `Problem` when the folder is unwritable or from a newer version.
 */
export const createCompanion = async (config: CompanionConfig, ports: Ports) => {
  const parts = await openParts(config, ports);
  const { connection, changed, settings } = parts;
  let standing: Standing | null = null;

  // The items follow the listings, the door asks the approvals, and all three keep what they read: one knot, tied here.
  const keep = (listing: Listing): void => {
    news.read(connection.account(), listing);
    const isNew = parts.listings.keep(connection.account(), listing, parts.clock.now());
    items.follow(listing);
    if (isNew) for (const topic of ['listings', 'items'] as const) changed(topic);
  };
  const forget = (listingId: string): void => {
    parts.listings.remove(connection.account(), listingId);
    items.listingDeleted(listingId);
    changed('listings');
  };
  const keepStanding = (answer: unknown): void => {
    standing = standingShape.parse(answer);
    changed('app');
  };

  const news = createNews(parts);
  const work = workCounter(parts.db);
  const assistants = createAssistants(parts.db, parts.clock, changed);
  const budget = createBudget(parts.approvalsTable, parts.clock, connection.account);
  const extras = extrasMemory(parts);
  const approvals = createApprovals({
    ...parts,
    table: parts.approvalsTable,
    settings: settings.settings,
    account: connection.account,
    reads: promptReads(parts, keep),
    keep,
    forget,
    checkBudget: (by, route, money) => budget.check(assistants.limits, by, route, money),
    answered: extras.answered,
  });
  const conduct = openConduct(parts, { keep, keepStanding });
  const offers = createOffers(parts.clock, changed);
  const scope = createScope(parts.db, connection.account, assistants.limits);
  const door = performer({
    ...parts,
    ...conduct,
    approvals,
    offerPage: offers.add,
    scope,
    ...generationMemory(parts),
    keep: (route, answer, listings) => {
      // Together: 200 of a page wait for the disk once.
      parts.db.transaction(() => listings.forEach(keep))();
      if (route === 'readStanding') keepStanding(answer);
    },
  });
  const listings = createListings({ ...parts, perform: door.perform, forget });
  const workers = createPhotoWorkers({ workerUrl: config.photoWorkerUrl });
  const items = createItems({
    ...parts,
    table: parts.itemsTable,
    account: connection.account,
    perform: door.perform,
    workers,
    settings: settings.settings,
    preparedDir: parts.dir('prepared'),
    writingPlaces: conduct.places,
    sendingPlaces: createPlaces(itemsSentAtOnce),
    standing: async (signal) => {
      const outcome = await door.perform({ by: person, route: 'readStanding', input: {}, signal });
      if (outcome.state !== 'done') throw new Problem('STANDING_UNKNOWN', 'The allowance could not be read.');
      return standingShape.parse(outcome.answer);
    },
    photoCap: () => photoCap(standing),
    extrasApproval: extras.held,
    touched: () => changed('items'),
  });
  const intake = createIntake(parts.dir('intake'));
  const disk = createPhotoDisk({
    preparedDir: parts.dir('prepared'),
    copiesDir: parts.dir('intake'),
    needed: () => neededFiles(parts.db),
    now: Date.now,
  });
  const add = addPhotos(items, intake, settings.settings);
  const watching = createWatchFolder({
    ...parts,
    files: watchedFiles(parts.db),
    dataDir: config.dataDir,
    ready: () => connection.state() === 'connected',
    add: (paths, only) => add({ kind: 'paths', paths, only }, person),
    changed: () => changed('app'),
  });
  const upkeep = createUpkeep(parts, approvals, items, door.perform);
  const connecting = createConnecting(parts, config, items, () => {
    upkeep.takeUp();
    conduct.takeUp();
    listings.takeUp();
  });

  return {
    state: (bridgeUrl: string | null): AppState => ({
      version: config.version,
      service: config.service,
      connection: connection.state(),
      offline: parts.offline(),
      person: personOf(parts, standing),
      allowance: allowanceOf(standing),
      keychain: { kind: ports.secrets.kind, problem: ports.secrets.problem ?? null },
      bridgeUrl,
      settings: settings.settings(),
      watch: watching.state(),
      waitingApprovals: connection.who() ? approvals.waiting().length : 0,
      paused: parts.gate.isHeld('person'),
    }),
    onChanged: parts.onChanged,
    ...door,
    approvals: {
      ...approvals,
      /** The person's no. "I did not ask for this" also pauses the assistant that asked. */
      decline: (approvalId: string, why: DeclineReason) => {
        const { asker } = approvals.need(approvalId);
        if (why === 'not_asked_for' && asker.kind === 'assistant') assistants.pause(asker.assistantId);
        return approvals.decline(approvalId, why);
      },
      history: () => approvals.history(historyShown),
    },
    batches: createBatches({ ...parts, account: connection.account, approvals, askInBatch: door.askInBatch }),
    searchHistory: createHistory(parts.db, parts.ledger),
    offers,
    assistantWork: createAssistantWork({
      ...parts,
      intake,
      items,
      scope,
      limits: assistants.limits,
      listingPhotos: createListingPhotos({
        perform: door.perform,
        workers,
        clock: parts.clock,
        settings: settings.settings,
        preparedDir: parts.dir('prepared'),
      }),
    }),
    activity: createActivity(parts.clock, changed),
    assistants: { ...assistants, list: () => assistants.list(connection.who() ? budget.used : undefined) },
    items,
    listings,
    add: (source: PhotoSource, by: Asker = person, note?: string) => add(source, by, note),
    receivePhoto: intake.receive,
    disk,
    photo: findPhoto(parts, new URL(config.service.url).origin),
    connect: {
      ...connecting,
      forget: async () => {
        standing = null;
        listings.stop();
        await connecting.forget();
      },
    },
    changeSettings: (changes: Partial<Settings>) => {
      const { watchFolder } = settings.settings();
      const after = settings.change(changes);
      if (after.watchFolder !== watchFolder) void watching.change(after.watchFolder);
      changed('app');
    },
    /** What is on its way by itself. */
    work: (): Work => (connection.who() ? work(connection.account()) : { running: 0, done: 0 }),
    /** Holds back every new step of every item until it is called with false; what is under way is finished. */
    pauseAll: (paused: boolean) => {
      parts.gate.hold('person', paused);
      changed('app');
    },
    /** The machine is about to sleep: nothing new is started until `wake`. */
    sleep: () => parts.gate.hold('sleep', true),
    /** The machine is awake, the network back, or the clock set. */
    wake: () => {
      parts.gate.hold('sleep', false);
      upkeep.wake();
    },
    start: async () => {
      const broken = parts.ledger.firstBroken();
      if (broken !== null) parts.log('error', 'the ledger is broken', { row: broken });
      await sweepUnfinished([parts.dir('prepared'), parts.dir('intake')]);
      await connecting.restore();
      upkeep.start();
      watching.start(settings.settings().watchFolder);
      disk.cleanUp().catch(() => parts.log('warn', 'prepared photos could not be cleaned up'));
    },
    stop: async () => {
      upkeep.stop();
      conduct.stop();
      listings.stop();
      news.stop();
      await watching.stop();
      await items.stop();
      await workers.close();
      parts.db.close();
    },
  };
};

/** What is known of writings that were asked for: a second one of a listing needs the person. */
const generationMemory = ({
  listings,
  connection,
  clock,
  live,
}: CoreParts): Pick<Parameters<typeof performer>[0], 'known' | 'generations'> => {
  const note = (listingId: string, state: 'sent' | 'started' | 'not_started', extras: string | null = null) =>
    listings.noteGeneration(connection.account(), listingId, state, clock.now(), extras);
  return {
    known: (route, input) => {
      const listingId = input.params?.['listingId'];
      // Asked of the disk only where the answer matters: this runs with every request of every assistant.
      const state =
        route === 'generateListing' && listingId !== undefined
          ? listings.generation(connection.account(), listingId)
          : null;
      return { ...live.of(route), generatedBefore: state !== null && state !== 'not_started' };
    },
    generations: {
      sent: (listingId, extrasApproval) => note(listingId, 'sent', extrasApproval),
      settled: (listingId, started) => note(listingId, started ? 'started' : 'not_started'),
    },
  };
};

const personOf = ({ connection }: CoreParts, standing: Standing | null): AppState['person'] => {
  const who = connection.who();
  return who ? { name: null, email: who.email, plan: standing?.plan?.name ?? null } : null;
};

const allowanceOf = (standing: Standing | null): AppState['allowance'] =>
  standing && {
    remaining: standing.allowance.remaining,
    credits: standing.allowance.creditBalance,
    photosPerListing: photoCap(standing),
  };
