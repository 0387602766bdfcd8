import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { limits, standing as standingShape, type Listing, type Standing } from '../contract/index.ts';
import type { Asker, DeclineReason } from './approvals/approval.ts';
import { approvalsTable } from './approvals/approvalsTable.ts';
import { createApprovals } from './approvals/engine.ts';
import { ledger as openLedger } from './approvals/ledger.ts';
import type { AppState } from './appState.ts';
import { createAssistants } from './assistants/assistants.ts';
import { openConnection, startSignIn, verifySignIn } from './connection.ts';
import { findPhoto } from './findPhoto.ts';
import { addPhotos } from './items/addPhotos.ts';
import { createItems } from './items/items.ts';
import { itemsTable } from './items/itemsTable.ts';
import { createPlaces } from './items/places.ts';
import { photoCap } from './items/steps.ts';
import { createLiveRoutes } from './liveRoutes.ts';
import { listingsIn, performer } from './perform.ts';
import { createIntake } from './photos/intake.ts';
import { createPhotoWorkers } from './photos/workers.ts';
import type { Ports, Topic } from './ports.ts';
import { Problem, problemView } from './problem.ts';
import { createServiceClient } from './service/serviceClient.ts';
import type { Settings } from './settings.ts';
import { openDatabase } from './store/database.ts';
import { listingsTable } from './store/listingsTable.ts';
import { settingsTable } from './store/settingsTable.ts';

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
const practiceFlagName = 'practice person';
const practiceFlag = z.boolean();
const tickMs = 30_000;
const historyShown = 200;
const itemsSentAtOnce = 3;

/**
 * Wires the companion on one data folder. `start` takes up what was on its way; `stop` leaves everything as it is on
 * disk. The host holds the folder's lock.
 * Throws a `Problem` when the folder is unwritable or was written by a newer version.
 */
export const createCompanion = async (config: CompanionConfig, ports: Ports) => {
  const { clock, secrets, log } = ports;
  const dir = (name: string): string => join(config.dataDir, name);
  mkdirSync(dir('prepared'), { recursive: true });
  const db = openDatabase(dir('companion.db'));
  const listeners = new Set<(topic: Topic) => void>();
  const changed = (topic: Topic): void => listeners.forEach((listener) => listener(topic));
  const ended = new AbortController();

  const settings = settingsTable(db);
  const listings = listingsTable(db);
  const table = itemsTable(db);
  const ledger = openLedger(db);
  const service = config.service.kind === 'practice' ? 'practice' : config.service.url;
  const connection = await openConnection({ settings, secrets, service });
  let offline: string | null = null;
  let standing: Standing | null = null;

  const setOffline = (sentence: string | null): void => {
    if (offline === sentence) return;
    offline = sentence;
    changed('app');
  };
  const client = createServiceClient({
    baseUrl: () => config.service.url,
    key: connection.key,
    clock,
    reached: (ok) =>
      setOffline(ok ? null : 'The service cannot be reached. The companion keeps trying; nothing is lost.'),
    keyDied: () => {
      connection.died();
      changed('app');
    },
  });
  const live = createLiveRoutes(client);

  const keep = (listing: Listing): void => {
    listings.keep(connection.account(), listing, clock.now());
    items.follow(listing);
    changed('listings');
  };
  const forget = (listingId: string): void => {
    listings.remove(connection.account(), listingId);
    items.listingDeleted(listingId);
    changed('listings');
  };

  const approvals = createApprovals({
    db,
    table: approvalsTable(db),
    ledger,
    client,
    clock,
    settings: settings.settings,
    account: connection.account,
    notify: ports.notify,
    changed,
    log,
    keep,
    forget,
    reads: {
      listing: async (listingId) => {
        const { answer } = await client.send('readListing', {
          params: { listingId },
          query: undefined,
          headers: undefined,
          body: undefined,
        });
        keep(answer);
        return answer;
      },
      fees: async (listingId, body) => {
        const input = {
          params: { listingId },
          query: undefined,
          headers: undefined,
          body: { ...body, action: 'quote' as const },
        };
        return (await client.send('quoteFees', input)).answer;
      },
      photoUrl: (listing) => {
        const item = table.ofListing(connection.account(), listing.listingId);
        const photo =
          item && table.photos(item.item_id).find((one) => one.thumb_path !== null && one.state === 'ready');
        if (photo) return `/photos/${photo.photo_id}/thumb`;
        return (listing.imageUrls ?? []).length > 0
          ? `/listing-photos/${encodeURIComponent(listing.listingId)}/0`
          : null;
      },
      now: clock.now,
    },
  });

  const door = performer({
    client,
    approvals,
    clock,
    known: (route, input) => {
      const listingId = input.params?.['listingId'];
      const generation = listingId === undefined ? null : listings.generation(connection.account(), listingId);
      return { ...live.of(route), generatedBefore: generation !== null && generation !== 'not_started' };
    },
    generations: {
      sent: (listingId) => listings.noteGeneration(connection.account(), listingId, 'sent', clock.now()),
      settled: (listingId, started) =>
        listings.noteGeneration(connection.account(), listingId, started ? 'started' : 'not_started', clock.now()),
    },
    keep: (route, _input, answer) => {
      listingsIn(route, answer).forEach(keep);
      if (route === 'readStanding') {
        standing = standingShape.parse(answer);
        changed('app');
      }
    },
  });

  const workers = createPhotoWorkers({ workerUrl: config.photoWorkerUrl });
  const items = createItems(
    {
      table,
      listings,
      perform: door.perform,
      workers,
      clock,
      log,
      settings: settings.settings,
      preparedDir: dir('prepared'),
      writingPlaces: createPlaces(limits.concurrentGenerations),
      sendingPlaces: createPlaces(itemsSentAtOnce),
      standing: async (signal) => {
        const outcome = await door.perform({ by: person, route: 'readStanding', input: {}, signal });
        if (outcome.state !== 'done') throw new Problem('STANDING_UNKNOWN', 'The allowance could not be read.');
        return standingShape.parse(outcome.answer);
      },
      touched: () => changed('items'),
    },
    connection.account,
  );
  const intake = createIntake(dir('intake'));
  const add = addPhotos(items, intake);
  const assistants = createAssistants(db, clock, changed);

  const state = (bridgeUrl: string | null): AppState => {
    const who = connection.who();
    return {
      version: config.version,
      service: config.service,
      connection: connection.state(),
      offline,
      person: who ? { name: null, email: who.email, plan: standing?.plan?.name ?? null } : null,
      allowance: standing
        ? {
            remaining: standing.allowance.remaining,
            credits: standing.allowance.creditBalance,
            photosPerListing: photoCap(standing),
          }
        : null,
      keychain: { kind: secrets.kind, problem: secrets.problem ?? null },
      bridgeUrl,
      settings: settings.settings(),
      waitingApprovals: who ? approvals.waiting().length : 0,
    };
  };

  /** What is done after every connection and every start: look at the standing and the rules, take up what was on its way. */
  const takeUp = async (): Promise<void> => {
    if (connection.state() !== 'connected') return;
    changed('app');
    items.reconnected();
    items.start();
    changed('items');
    await Promise.allSettled([
      live.refresh(),
      door.perform({ by: person, route: 'readStanding', input: {} }),
      approvals.recover(),
    ]);
    changed('approvals');
  };

  const tick = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await clock.sleep(tickMs, ended.signal).catch(() => undefined);
      if (ended.signal.aborted || connection.state() !== 'connected') continue;
      approvals.expireDue();
      await approvals
        .settle()
        .catch((error: unknown) => log('warn', 'unsettled approvals stay so', { code: problemView(error).code }));
    }
  };

  const connectPractice = async (): Promise<void> => {
    if (!config.practicePerson)
      throw new Problem('NO_PRACTICE', 'Practice data is there only with the practice service.');
    const made = await config.practicePerson();
    await connection.save(made.userId, made.email, made.agentKey);
    settings.write(practiceFlagName, true);
    await takeUp();
  };

  const pauseWhoWasNotAsked = (approvalId: string, why: DeclineReason): void => {
    const { asker } = approvals.need(approvalId);
    if (why === 'not_asked_for' && asker.kind === 'assistant') assistants.pause(asker.assistantId);
  };

  return {
    state,
    onChanged: (listener: (topic: Topic) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    perform: door.perform,
    outcome: door.outcome,
    approvals: {
      ...approvals,
      decline: (approvalId: string, why: DeclineReason) => {
        pauseWhoWasNotAsked(approvalId, why);
        return approvals.decline(approvalId, why);
      },
      history: () => approvals.history(historyShown),
    },
    assistants,
    items,
    add: (source: Parameters<typeof add>[0], by: Asker = person, note?: string) => add(source, by, note),
    receivePhoto: intake.receive,
    photo: findPhoto(table, listings, connection.account),
    connect: {
      practice: connectPractice,
      start: (email: string) => startSignIn(client, email),
      verify: async (given: { challengeId: string; email: string; code: string }) => {
        await verifySignIn(client, connection, given);
        settings.remove(practiceFlagName);
        await takeUp();
      },
      forget: async () => {
        await items.stop();
        await connection.forget();
        settings.remove(practiceFlagName);
        standing = null;
        changed('app');
      },
    },
    changeSettings: (changes: Partial<Settings>) => {
      settings.change(changes);
      changed('app');
    },
    start: async () => {
      const broken = ledger.firstBroken();
      if (broken !== null) log('error', 'the ledger is broken', { row: broken });
      // The practice service's key is no secret worth a keychain: a new run gets a new one for the same practice person.
      const practising = config.practicePerson !== null && settings.read(practiceFlagName, practiceFlag) === true;
      if (practising && connection.state() === 'reconnect') await connectPractice();
      else await takeUp();
      void tick();
    },
    stop: async () => {
      ended.abort();
      await items.stop();
      await workers.close();
      db.close();
    },
  };
};
