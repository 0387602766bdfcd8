import { limits, standing as standingShape, type Listing, type Standing } from '../contract/index.ts';
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
import { findPhoto } from './findPhoto.ts';
import { addPhotos, type PhotoSource } from './items/addPhotos.ts';
import { createItems } from './items/items.ts';
import { createPlaces } from './items/places.ts';
import { photoCap } from './items/steps.ts';
import { openParts, type CoreParts } from './openParts.ts';
import { performer } from './perform.ts';
import { createIntake } from './photos/intake.ts';
import { createPhotoWorkers } from './photos/workers.ts';
import { sweepUnfinished } from './photos/sweepUnfinished.ts';
import type { Ports } from './ports.ts';
import { Problem } from './problem.ts';
import type { Settings } from './settings.ts';
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
    const news = parts.listings.keep(connection.account(), listing, parts.clock.now());
    items.follow(listing);
    if (news) for (const topic of ['listings', 'items'] as const) changed(topic);
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
  const door = performer({
    ...parts,
    approvals,
    scope: createScope(parts.db, connection.account, assistants.limits),
    ...generationMemory(parts),
    keep: (route, answer, listings) => {
      listings.forEach(keep);
      if (route === 'readStanding') keepStanding(answer);
    },
  });
  const workers = createPhotoWorkers({ workerUrl: config.photoWorkerUrl });
  const items = createItems({
    ...parts,
    table: parts.itemsTable,
    account: connection.account,
    perform: door.perform,
    workers,
    settings: settings.settings,
    preparedDir: parts.dir('prepared'),
    writingPlaces: createPlaces(limits.concurrentGenerations),
    sendingPlaces: createPlaces(itemsSentAtOnce),
    standing: async (signal) => {
      const outcome = await door.perform({ by: person, route: 'readStanding', input: {}, signal });
      if (outcome.state !== 'done') throw new Problem('STANDING_UNKNOWN', 'The allowance could not be read.');
      return standingShape.parse(outcome.answer);
    },
    extrasApproval: extras.held,
    touched: () => changed('items'),
  });
  const intake = createIntake(parts.dir('intake'));
  const add = addPhotos(items, intake);
  const upkeep = createUpkeep(parts, approvals, items, door.perform);
  const connecting = createConnecting(parts, config, items, upkeep.takeUp);

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
      waitingApprovals: connection.who() ? approvals.waiting().length : 0,
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
    batches: createBatches({ ...parts, account: connection.account, approvals }),
    searchHistory: createHistory(parts.db, parts.ledger),
    assistants: { ...assistants, list: () => assistants.list(connection.who() ? budget.used : undefined) },
    items,
    add: (source: PhotoSource, by: Asker = person, note?: string) => add(source, by, note),
    receivePhoto: intake.receive,
    photo: findPhoto(parts, new URL(config.service.url).origin),
    connect: {
      ...connecting,
      forget: async () => {
        standing = null;
        await connecting.forget();
      },
    },
    changeSettings: (changes: Partial<Settings>) => {
      settings.change(changes);
      changed('app');
    },
    start: async () => {
      const broken = parts.ledger.firstBroken();
      if (broken !== null) parts.log('error', 'the ledger is broken', { row: broken });
      await sweepUnfinished([parts.dir('prepared'), parts.dir('intake')]);
      await connecting.restore();
      upkeep.start();
    },
    stop: async () => {
      upkeep.stop();
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
  const note = (listingId: string, state: 'sent' | 'started' | 'not_started') =>
    listings.noteGeneration(connection.account(), listingId, state, clock.now());
  return {
    known: (route, input) => {
      const listingId = input.params?.['listingId'];
      const state = listingId === undefined ? null : listings.generation(connection.account(), listingId);
      return { ...live.of(route), generatedBefore: state !== null && state !== 'not_started' };
    },
    generations: {
      sent: (listingId) => note(listingId, 'sent'),
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
