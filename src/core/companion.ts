import * as z from 'zod';
import { standing as standingShape, type Listing, type ParsedInput, type Standing } from '../contract/index.ts';
import type { Asker, DeclineReason } from './approvals/approval.ts';
import { createBatches } from './approvals/batches.ts';
import { createApprovals } from './approvals/engine.ts';
import { createHistory } from './approvals/history.ts';
import { promptReads } from './approvals/promptReads.ts';
import { createExtrasBooks, noteExtras } from './approvals/extrasBooks.ts';
import { createMovingFields } from './approvals/movingFields.ts';
import { createReceipts } from './approvals/receipts.ts';
import { accountActs } from './approvals/prompts/account.ts';
import { setupActs } from './approvals/prompts/setup.ts';
import type { AppState } from './appState.ts';
import { appStateOf } from './appStateOf.ts';
import type { AssistantChanges } from './assistants/assistantRow.ts';
import { pageOf } from './assistants/links.ts';
import type { OpenPage } from './assistants/openPages.ts';
import { openAssistants } from './assistants/openAssistants.ts';
import { openConduct } from './conduct/openConduct.ts';
import { createConnecting } from './connecting.ts';
import { findPhoto } from './findPhoto.ts';
import { generationMemory } from './generationMemory.ts';
import { addPhotos, type PhotoSource } from './items/addPhotos.ts';
import { linksOrThrow } from './items/linksOutside.ts';
import { openItems } from './items/openItems.ts';
import { workCounter, type Work } from './items/work.ts';
import { createListings } from './listings/listings.ts';
import { createNews } from './news.ts';
import { createNoticeBoard } from './notifications/noticeBoard.ts';
import { openParts } from './openParts.ts';
import { performer } from './perform.ts';
import { openPhotos } from './photos/openPhotos.ts';
import { createPhotoUploads } from './photos/photoUploads.ts';
import { sweepUnfinished } from './photos/sweepUnfinished.ts';
import { watchedFiles } from './photos/watchedFiles.ts';
import { watchedPlaces } from './photos/watchedPlace.ts';
import { createWatchFolder } from './photos/watchFolder.ts';
import type { Ports } from './ports.ts';
import { diskProblem, told, type Told } from './problem.ts';
import { createBackups } from './store/backups.ts';
import { stopParts, type Part } from './stopParts.ts';
import { wishForRestore } from './store/restore.ts';
import type { SettingsChanges } from './settings.ts';
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
/** The account that was connected last: another one begins with nothing waiting and nobody let in. */
const lastAccount = 'last account';

/**
 * Wires the companion on one data folder. `start` takes up what was on its way; `stop` leaves everything as it is on
 * disk. The host holds the folder's lock. Throws a `Problem` when the folder is unwritable or from a newer version.
 */
export const createCompanion = async (config: CompanionConfig, ports: Ports) => {
  const parts = await openParts(config, ports);
  const { connection, changed, settings } = parts;
  let standing: Standing | null = null;

  // The items follow the listings, the door asks the approvals, and all three keep what they read: one knot, tied here.
  const keepNow = (listing: Listing): void => {
    news.read(connection.account(), listing);
    const isNew = parts.listings.keep(connection.account(), listing, parts.clock.now());
    items.follow(listing);
    if (!isNew) return;
    parts.written.follow(connection.account(), listing, parts.clock.now());
    for (const topic of ['listings', 'items'] as const) changed(topic);
  };
  /** What was read is an answer, too, where there is no room to keep it. */
  const whereThereIsRoom = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (diskProblem(error) === null) throw error;
      parts.log('warn', 'what the service answered could not be kept');
    }
  };
  const keep = (listing: Listing): void => whereThereIsRoom(() => keepNow(listing));
  const forget = (listingId: string): void => {
    parts.listings.remove(connection.account(), listingId);
    parts.written.forget(connection.account(), listingId);
    items.listingDeleted(listingId);
    changed('listings');
  };
  const keepStanding = (answer: unknown): void => {
    standing = standingShape.parse(answer);
    changed('app');
  };

  const news = createNews(parts);
  const work = workCounter(parts.db);
  const letIn = openAssistants(parts);
  const { assistants, scope, offers, pages } = letIn;
  const extras = createExtrasBooks(parts.db, parts.clock, connection.account);
  const moving = createMovingFields(parts.db);
  const wrote = (body: unknown): void => moving.written(connection.account(), body);
  const photoUploads = createPhotoUploads({
    ...parts,
    account: () => connection.who()?.account ?? null,
    mayUpload: letIn.mayUpload,
    write: (listingId, work) => parts.locks.write(listingId, work).finally(() => parts.answers.touched(listingId)),
  });
  const reads = promptReads(parts, extras, keep);
  const approvals = createApprovals({
    ...parts,
    table: parts.approvalsTable,
    settings: settings.settings,
    account: connection.account,
    keyPrint: connection.keyPrint,
    moving,
    reads: reads.shown,
    readsAtYes: reads.atYes,
    readsAfterNotice: reads.afterNotice,
    livePhotos: parts.boundPhotos.read,
    uploads: photoUploads,
    keep,
    forget,
    checkBudget: letIn.checkBudget,
    checkAsker: (by, route, input) => {
      door.checkAsker(by, route, input as { params?: Record<string, string> });
      scope.checkAct(by, route, true);
    },
    nameLike: assistants.nameLike,
    answered: (row, answer) => {
      const { route } = row;
      noteExtras(extras, row, answer);
      // It is in the answer to the person's yes, and needs no offer.
      pages.note(route, row.subject.request.input as { params?: unknown; body?: unknown }, { status: 200, answer });
      if (route === 'disconnectMarket') pages.forget('readMarketAuthUrl');
      if (route === 'generateListing' && row.listing_id !== null) writings.generations.settled(row.listing_id, true);
      if (row.asker.kind === 'person' && pageOf(route) !== null) parts.pageWatch.opened();
      if (Object.hasOwn(setupActs, route)) changed('setup');
      if (Object.hasOwn(accountActs, route)) changed('account');
      if (route === 'revokeCurrentKey') keyRevoked();
    },
  });
  const offerPage = (by: Asker, page: OpenPage): void =>
    by.kind === 'person' ? offers.ended(page.key) : offers.add(by, page);
  const writings = generationMemory(parts);
  const conduct = openConduct(parts, { keep, keepStanding });
  const door = performer({
    ...parts,
    ...conduct,
    approvals,
    account: () => connection.who()?.account ?? null,
    pages,
    offerPage,
    pageGiven: parts.pageWatch.opened,
    openUploads: photoUploads.open,
    whileAskingSlots: photoUploads.asking,
    scope,
    extras,
    wrote,
    checkLetIn: letIn.checkLetIn,
    freshStanding: async (signal) => {
      const { answer } = await parts.client.send('readStanding', {} as ParsedInput<'readStanding'>, { signal });
      keepStanding(answer);
      return standingShape.parse(answer);
    },
    ...writings,
    keep: (route, answer, listings) => {
      // Together: 200 of a page wait for the disk once. Most answers hold none.
      if (listings.length > 0) whereThereIsRoom(parts.db.transaction(() => listings.forEach(keepNow)));
      if (route === 'readStanding') keepStanding(answer);
    },
  });
  const listings = createListings({ ...parts, perform: door.perform, forget });
  const notifications = createNoticeBoard({ ...parts, perform: door.perform });
  const photos = openPhotos(parts, config.photoWorkerUrl);
  const items = openItems(parts, {
    perform: door.perform,
    photos,
    photoUploads,
    writingPlaces: conduct.places,
    extrasApproval: (by) => extras.of(by)?.extrasApprovalId ?? null,
    standing: () => standing,
  });
  const add = addPhotos(items, photos.intake, settings.settings);
  const watchedAt = watchedPlaces(settings);
  const watching = createWatchFolder({
    ...parts,
    files: watchedFiles(parts.db),
    dataDir: config.dataDir,
    ready: () => connection.state() === 'connected',
    add: (paths, only, within) =>
      add({ kind: 'paths', paths, only, within }, person).then(({ left = null }) => left, linksOrThrow),
    changed: () => changed('app'),
  });
  const leave = async (): Promise<void> => {
    standing = null;
    parts.pageWatch.stop();
    listings.stop();
    notifications.stop();
    await connecting.forget();
  };
  /** The person ended the key at the service: nobody is told that it died, and it goes from here as well. */
  const keyRevoked = (): void => {
    connection.died();
    leave().catch(() => parts.log('warn', 'the key could not be removed from the keychain'));
  };
  /** Whoever is paused or sent away asks for nothing any more: what it asked is withdrawn, and whoever waits for it wakes. */
  const withdrawOf = (assistantId: string, reason: Told): void => {
    if (connection.who()) approvals.withdrawAll(connection.account(), assistantId, reason);
  };
  const silenced = {
    ...assistants,
    change: (assistantId: string, changes: AssistantChanges): void => {
      assistants.change(assistantId, changes);
      if (changes.paused) offers.forget(assistantId);
      if (changes.paused) withdrawOf(assistantId, told('APPROVAL_WITHDRAWN.paused'));
    },
    pause: (assistantId: string): void => silenced.change(assistantId, { paused: true }),
    revoke: (assistantId: string): void => {
      assistants.revoke(assistantId);
      offers.forget(assistantId);
      withdrawOf(assistantId, told('APPROVAL_WITHDRAWN.revoked'));
    },
  };
  /** What was asked for one account is never done to another. */
  const leaveOtherAccounts = (): void => {
    const account = connection.account();
    const before = settings.read(lastAccount, z.string());
    if (before !== null && before !== account) assistants.accountChanged();
    settings.write(lastAccount, account);
    assistants.adopt();
    for (const other of parts.approvalsTable.waitingAccounts())
      if (other !== account) approvals.withdrawAll(other, null, told('APPROVAL_WITHDRAWN.account'));
  };
  /** A copy that was restored brings back questions of who is held or gone now. */
  const withdrawOfSilent = (): void => {
    const waiting = parts.approvalsTable.inState(connection.account(), 'pending', 'approved');
    const askers = waiting.flatMap(({ asker }) => (asker.kind === 'assistant' ? [asker.assistantId] : []));
    for (const assistantId of new Set(askers))
      if (!assistants.isActive(assistantId)) withdrawOf(assistantId, told('APPROVAL_WITHDRAWN.paused'));
  };
  const upkeep = createUpkeep(parts, approvals, items, door.perform);
  const backups = createBackups(parts);
  const takeUp = (atStart: boolean): void => {
    if (connection.state() === 'connected') {
      leaveOtherAccounts();
      withdrawOfSilent();
    }
    upkeep.takeUp(atStart);
    conduct.takeUp();
    listings.takeUp(atStart);
    notifications.takeUp(atStart);
  };
  const connecting = createConnecting(parts, config, items, () => takeUp(false));
  let stopped = false;
  /** In this order: what writes to the database ends before it does. */
  const ending: Part[] = [
    { name: 'folder that is watched', stop: watching.stop },
    { name: 'items', stop: items.stop },
    { name: 'photo threads', stop: photos.workers.close },
    { name: 'copy of the database', stop: backups.stop },
    { name: 'end of the ledger in the keychain', stop: parts.signedLedger.stop },
    { name: 'database', stop: () => void parts.db.close() },
  ];
  const stop = (): Promise<string[]> => {
    stopped = true;
    for (const { stop: end } of [
      upkeep,
      approvals,
      parts.locks,
      conduct,
      parts.pageWatch,
      listings,
      notifications,
      news,
    ])
      end();
    return stopParts(ending, parts);
  };
  let stopping: Promise<string[]> | null = null;

  return {
    state: (bridgeUrl: string | null): AppState =>
      appStateOf(parts, config, {
        bridgeUrl,
        standing,
        watch: watching.state(),
        waitingApprovals: connection.who() ? approvals.waiting().length : 0,
      }),
    onChanged: parts.onChanged,
    ...door,
    approvals: {
      ...approvals,
      /** The person's no. "I did not ask for this" also pauses the assistant that asked. */
      decline: (approvalId: string, why: DeclineReason) => {
        const { asker } = approvals.need(approvalId);
        const declined = approvals.decline(approvalId, why);
        if (why === 'not_asked_for' && asker.kind === 'assistant') silenced.pause(asker.assistantId);
        return declined;
      },
      /** Its asker takes it back. */
      withdraw: (approvalId: string) => {
        const { asker } = approvals.need(approvalId);
        if (asker.kind === 'assistant') conduct.conduct.askedInVain(asker.assistantId);
        return approvals.withdraw(approvalId);
      },
      history: () => approvals.history(historyShown),
    },
    batches: createBatches({
      ...parts,
      account: connection.account,
      approvals,
      nameLike: assistants.nameLike,
      askInBatch: door.askInBatch,
    }),
    searchHistory: createHistory(parts),
    receipts: createReceipts(parts),
    /** The person has read what is wrong with the ledger. */
    acknowledgeLedger: parts.signedLedger.acknowledge,
    offers: {
      ...offers,
      open: (offerId: string): string => {
        const url = offers.open(offerId);
        parts.pageWatch.opened();
        return url;
      },
    },
    assistantWork: letIn.work({ perform: door.perform, items, photos, photoUploads }),
    activity: letIn.activity,
    assistants: silenced,
    items,
    listings,
    notifications,
    add: (source: PhotoSource, by: Asker = person, note?: string) => {
      // What the person gives is tried at once; what comes out of a watched folder waits like everything else.
      if (by.kind === 'person') parts.pacing.hurry();
      return add(source, by, note);
    },
    receivePhoto: photos.intake.receive,
    boundPhotos: parts.boundPhotos,
    uploads: photoUploads,
    disk: photos.disk,
    photo: findPhoto(parts, new URL(config.service.url).origin),
    connect: {
      ...connecting,
      forget: leave,
    },
    changeSettings: (changes: SettingsChanges) => {
      const chosen = parts.db.transaction(() => {
        settings.change(changes);
        return watchedAt.choose(changes.watchFolder);
      })();
      if (chosen) watching.change(chosen.place).catch(() => parts.log('warn', 'the watch folder could not be changed'));
      changed('app');
    },
    /** What is on its way by itself: nothing, once it has been told to stop. */
    work: (): Work => (connection.who() && !stopped ? work(connection.account()) : { running: 0, done: 0 }),
    /** Holds back every new step of every item until it is called with false; what is under way is finished. */
    pauseAll: (paused: boolean) => {
      parts.gate.hold('person', paused);
      changed('app');
    },
    /** A window asks for something: somebody looks. */
    seen: upkeep.seen,
    /** The machine is about to sleep: nothing new is started until `wake`. */
    sleep: () => parts.gate.hold('sleep', true),
    /** The machine is awake, the network back, or the clock set. */
    wake: () => {
      parts.gate.hold('sleep', false);
      upkeep.wake();
    },
    backups: {
      list: backups.list,
      make: backups.make,
      /** Has a copy take the place of everything at the next start; what is here then is put aside. */
      restore: (name: string) => wishForRestore(config.dataDir, name),
      /** The person has read that the database was made anew. */
      repairSeen: () => {
        settings.remove('repaired');
        if (parts.signedLedger.alarm()?.kind === 'rolledBack') parts.signedLedger.acknowledge();
        changed('app');
      },
    },
    /** Goes on with everything that was on its way; once `calm` has settled, as a window that opens needs the machine. */
    start: async (calm: Promise<void> | null = null) => {
      const broken = parts.ledger.firstBroken();
      if (broken !== null) parts.log('error', 'the ledger is broken', { row: broken });
      parts.signedLedger.check().catch(() => parts.log('warn', 'the ledger could not be checked'));
      await sweepUnfinished([photos.preparedDir, photos.copiesDir, parts.dir('bound-photos')]);
      await connecting.restore();
      if (calm === null) takeUp(true);
      else
        calm
          .then(() => stopped || takeUp(true))
          .catch(() => parts.log('error', 'what was on its way could not be taken up'));
      upkeep.start();
      backups.start();
      watching.start(watchedAt.kept(settings.settings().watchFolder));
      photos.disk.cleanUp().catch(() => parts.log('warn', 'prepared photos could not be cleaned up'));
      parts.boundPhotos
        .sweep(parts.approvalsTable.openPhotos())
        .catch(() => parts.log('warn', 'kept photos could not be cleaned up'));
    },
    /** Answers the names of the parts that did not stop, if any. */
    stop: (): Promise<string[]> => (stopping ??= stop()),
  };
};
