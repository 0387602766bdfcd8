import type { Companion } from '../core/companion/createCompanion.ts';
import { createProblem } from '../core/base/problem.ts';
import { person } from '../core/base/request.ts';
import type { AppState } from '../core/companion/appState.ts';
import type { ItemPage } from '../core/storage/tables/itemRecord.ts';
import type { CallHandlers, NotificationsPage } from '../ipc/calls.ts';
import type { HostLog } from './createLog.ts';
import { noteUseForDataThreads } from './dataThread/startDataThread.ts';
import { createLabelHandlers } from './labels/labelHandlers.ts';
import type { LabelPrinter } from './labels/labelPrinter.ts';
import { createDiagnosticsFile } from './diagnostics.ts';
import { createProofHandlers } from './proofHandlers.ts';
import { refuseWithoutDesktop, type Shell } from './shell.ts';
import type { StartReport } from './startReport.ts';

type HandlerHost = {
  shell: Shell;
  log: HostLog;
  startReport: Pick<StartReport, 'handlers'>;
  bridgeUrl: () => string;
  openLink: (url: string) => Promise<void>;
  samplesDir: string;
  labels: Pick<LabelPrinter, 'createPdf' | 'layOut'>;
  clients: HandlersOf<'clients'>;
  /** Ends the app, which then forgets everything. Throws `FORGET_NEEDS_KEYCHAIN`. */
  forgetEverything: () => void;
};

type HandlerContext = {
  companion: Companion;
  host: HandlerHost;
  state: () => Promise<AppState>;
  /** Awaits `change`, then returns the new state. */
  stateAfter: (change: unknown) => Promise<AppState>;
  /** Returns whether an account is connected. If not, the window must not show data of the previous account. */
  connected: () => boolean;
};

type HandlersOf<Topic extends string> = Pick<CallHandlers, Extract<keyof CallHandlers, `${Topic}.${string}`>>;

export const createHandlers = (companion: Companion, host: HandlerHost): CallHandlers => {
  const state = async (): Promise<AppState> => companion.state(host.bridgeUrl());
  const context: HandlerContext = {
    companion,
    host,
    state,
    stateAfter: async (change) => {
      await change;
      return state();
    },
    connected: () => companion.state(null).connection !== 'none',
  };
  return {
    ...createAppHandlers(context),
    ...createBackupHandlers(context),
    ...createConnectionHandlers(context),
    ...createItemListHandlers(context),
    ...createItemHandlers(context),
    ...createPhotoHandlers(context),
    ...createShelfHandlers(context),
    ...createListingPhotoHandlers(context),
    ...createListingHandlers(context),
    ...createServiceHandlers(context),
    ...createApprovalHandlers(context),
    ...createBatchHandlers(context),
    ...createHistoryHandlers(context),
    ...createAssistantHandlers(context),
    ...createProofHandlers(companion, host.clients['clients.list']),
    ...{ ...host.startReport.handlers, ...host.clients },
  };
};

const createAppHandlers = ({ companion, host, state, stateAfter }: HandlerContext): HandlersOf<'app'> => ({
  'app.state': state,
  'app.settings': async (changes) => stateAfter(companion.changeSettings(changes)),
  'app.used': async () => {
    noteUseForDataThreads();
    return companion.windowUse.note();
  },
  'app.shell': host.shell.state,
  'app.changeShell': async ({ startAtLogin, addFromFileManager }) => {
    if (startAtLogin !== undefined) await host.shell.startAtLogin(startAtLogin);
    if (addFromFileManager !== undefined) await host.shell.addFromFileManager(addFromFileManager);
    return host.shell.state();
  },
  'app.pause': async ({ paused }) => stateAfter(companion.pauseAll(paused)),
  // A drag starts in one window, so the desktop host replaces this handler for each window.
  'app.dragOut': refuseWithoutDesktop,
  'app.showLogs': async () => host.shell.showLogs(host.log.dir),
  'app.diagnostics': async () =>
    createDiagnosticsFile({
      state: await state(),
      work: companion.work(),
      crashes: host.shell.crashes(),
      log: host.log,
      at: companion.clock.now(),
    }),
  'app.update': ({ act }) => host.shell.update(act).then(host.shell.state),
  'app.open': async ({ url }) => host.openLink(companion.pageLinks.needKnown(url)),
  'app.forgetEverything': async () => host.forgetEverything(),
});

const createBackupHandlers = ({ companion, stateAfter }: HandlerContext): HandlersOf<'backups'> => ({
  'backups.list': async () => companion.backups.list(),
  'backups.make': () => companion.backups.make().then(companion.backups.list),
  'backups.restore': async ({ name }) => ({ isScheduled: await companion.backups.restore(name) }),
  'backups.repairSeen': async () => stateAfter(companion.backups.repairSeen()),
});

const createConnectionHandlers = ({ companion, host, state, stateAfter }: HandlerContext): HandlersOf<'connect'> => ({
  'connect.practice': async ({ shop, fresh }) => stateAfter(companion.connect.practice(shop, fresh)),
  'connect.start': async ({ email, name }) => {
    // The practice service sends no real emails and knows only its own accounts.
    if ((await state()).service.kind === 'practice') throw createProblem('PRACTICE_RUNS');
    return companion.connect.start(email, name);
  },
  'connect.verify': async (given, windowSession, proofId) =>
    stateAfter(companion.connect.verify(given, { windowSession, isProven: proofId !== undefined })),
  'connect.key': async ({ key }) => stateAfter(companion.connect.key(key)),
  'connect.clipboard': async () => stateAfter(host.shell.useClipboard(companion.connect.key)),
  'connect.forget': async () => stateAfter(companion.connect.forget()),
});

type ItemListCall =
  | 'items.list'
  | 'items.counts'
  | 'items.ready'
  | 'items.chosen'
  | 'items.between'
  | 'items.beside'
  | 'items.nextWeak'
  | 'items.ofListing'
  | 'items.settled';

const noItems: ItemPage = { total: 0, sections: { toCheck: 0, working: 0, ready: 0, live: 0 }, rows: [] };

const createItemListHandlers = ({ companion, connected }: HandlerContext): Pick<CallHandlers, ItemListCall> => {
  const { list } = companion.items;
  return {
    'items.list': async ({ only, offset, limit, ...filter }) =>
      connected() ? list.page(await list.found(filter), only, offset, limit) : noItems,
    'items.counts': async () =>
      connected()
        ? { ...list.counts(), ...companion.work() }
        : { all: 0, toCheck: 0, publishable: 0, deferred: 0, duplicates: 0, running: 0, unwritten: 0, done: 0 },
    'items.ready': async (filter) =>
      connected() ? list.ready(await list.found(filter)) : { total: 0, itemIds: [], checked: [] },
    'items.chosen': async ({ itemIds, ...filter }) =>
      connected() ? list.chosen(await list.found(filter), itemIds) : { ready: [], arrangeable: [] },
    'items.between': async ({ from, to, ...filter }) =>
      connected() ? list.between(await list.found(filter), from, to) : [to],
    'items.beside': async ({ itemId, way, ...filter }) => {
      if (!connected()) return null;
      const found = await list.found(filter);
      if (way === 'review') return list.nextToReview(found, itemId);
      return list.beside(found, itemId, way === 'down' ? 1 : -1);
    },
    'items.nextWeak': async ({ itemId, itemIds, ...filter }) =>
      connected() ? list.nextWeak(await list.found(filter), itemId, itemIds) : null,
    'items.ofListing': async ({ listingId }) => {
      const itemId = connected() ? companion.items.ofListing(listingId) : null;
      return itemId === null ? null : { itemId };
    },
    'items.settled': async ({ mark }) => (connected() ? list.settled(mark) : { mark: 'none', items: [] }),
  };
};

const createItemHandlers = ({
  companion,
  host,
  connected,
}: HandlerContext): Omit<HandlersOf<'items'>, ItemListCall> => {
  const { items } = companion;
  const { arranging, contactSheet, sheetChanges } = items;
  const loadSheet = async (): Promise<boolean> => {
    if (connected()) await contactSheet.load();
    return connected();
  };
  return {
    'items.get': async ({ itemId }) => items.get(itemId),
    'items.add': ({ sources, note, templateId }) =>
      companion.add(sources, undefined, note, { templateId, repeats: 'ask' }),
    'items.repeats': async () => (connected() ? companion.listRepeats() : []),
    'items.settleRepeats': ({ repeatId, add }) => companion.settleRepeats(repeatId, add),
    'items.addInto': ({ sources, into }) => companion.addInto(sources, into),
    'items.addSamples': () => companion.add({ kind: 'paths', paths: [host.samplesDir] }),
    'items.change': async ({ itemId, changes }) => items.change(itemId, changes),
    'items.beginWith': async ({ itemId, templateId }) => items.beginWith(itemId, templateId),
    'items.useText': async ({ itemId, used }) => {
      const item = items.useText(itemId, used);
      companion.changeSettings({ useFolderTexts: used });
      return item;
    },
    'items.check': async ({ itemId, seen }) => items.check(itemId, seen),
    'items.defer': ({ itemId }) => items.defer(itemId),
    'items.cancel': ({ itemId }) => items.cancel(itemId),
    'items.resume': ({ itemId }) => items.resume(itemId),
    'items.skipUnreadable': async ({ itemId }) => items.skipUnreadable(itemId),
    'items.changePhotos': ({ itemId }) => items.changePhotos(itemId),
    'items.remove': async ({ itemId }) => items.remove(itemId),
    'items.begin': ({ itemIds }) => items.begin(itemIds),
    'items.barcode': ({ itemId, value, state: word }) => items.barcode(itemId, value, word),
    'items.merge': ({ itemIds }) => arranging.merge(itemIds),
    'items.split': ({ photoIds }) => arranging.split(photoIds),
    'items.movePhotos': ({ photoIds, itemId, before }) => arranging.move(photoIds, itemId, before),
    'items.order': ({ itemId, photoIds }) => arranging.order(itemId, photoIds),
    'items.sheet': async ({ mark }) =>
      sheetChanges.since((await loadSheet()) ? contactSheet.readOrder() : { rows: [] }, mark),
    'items.sheetRow': async ({ itemId }) => ((await loadSheet()) ? contactSheet.readRow(itemId) : null),
    'items.lastChange': async () => (connected() ? arranging.lastChange() : null),
    'items.undo': () => arranging.undo(),
  };
};

const createListingPhotoHandlers = ({ companion }: HandlerContext): HandlersOf<'listingPhotos'> => {
  const { photoChange } = companion.items;
  return {
    'listingPhotos.order': async ({ itemId, photoIds }) => photoChange.order(itemId, photoIds),
    'listingPhotos.replace': ({ itemId, photoId, sources }) => companion.replacePhoto(sources, itemId, photoId),
    'listingPhotos.send': ({ itemId }) => photoChange.send(itemId),
    'listingPhotos.retry': ({ itemId }) => photoChange.retry(itemId),
    'listingPhotos.restore': ({ itemId }) => photoChange.restore(itemId),
    'listingPhotos.close': ({ itemId }) => photoChange.close(itemId),
    'listingPhotos.cancel': ({ itemId }) => photoChange.cancel(itemId),
    'listingPhotos.writeAgain': async ({ itemId }) => ({ itemId: await photoChange.writeAgain(itemId) }),
  };
};

const createPhotoHandlers = ({ companion }: HandlerContext): HandlersOf<'photos'> => {
  const { arranging } = companion.items;
  return {
    'photos.remove': ({ photoIds }) => arranging.remove(photoIds),
    'photos.restore': ({ photoIds }) => arranging.restore(photoIds),
    'photos.aside': ({ photoIds, aside }) => arranging.aside(photoIds, aside),
    'photos.edit': ({ photoId, edits }) => arranging.edit(photoId, edits),
    'photos.turn': ({ photoIds, by }) => arranging.turn(photoIds, by),
    'photos.avatar': (source) => companion.avatar(source),
    'photos.diskUse': () => companion.disk.use(),
    'photos.cleanUp': () => companion.disk.cleanUp(),
  };
};

const createShelfHandlers = ({
  companion: { shelf, pickList },
  host,
  connected,
}: HandlerContext): HandlersOf<'shelf'> => ({
  ...createLabelHandlers(shelf, host),
  'shelf.read': async (target) => shelf.read(target),
  'shelf.change': async ({ changes, addTags, addPackage, ...targets }) =>
    shelf.change(targets, changes, addTags, addPackage),
  'shelf.number': async (targets) => shelf.number(targets),
  'shelf.lastEdit': async () => (connected() ? shelf.lastEdit() : null),
  'shelf.undo': async () => shelf.undo(),
  'shelf.find': async ({ sku }) => (connected() ? shelf.findBySku(sku) : []),
  'shelf.pickList': async () => (connected() ? pickList.read() : { rows: [], undated: 0 }),
  'shelf.markSent': async ({ listingIds, sent }) => pickList.markSent(listingIds, sent),
  'shelf.folderNames': async ({ folderPattern }) => shelf.previewFolders(folderPattern),
});

const createListingHandlers = ({
  companion,
  connected,
}: HandlerContext): HandlersOf<'listings' | 'notifications' | 'links'> => {
  const { listings, notifications } = companion;
  const listNotifications = (): NotificationsPage => {
    const page = notifications.list();
    const ids = [...new Set(page.rows.flatMap(({ listingId }) => listingId ?? []))];
    const known = new Map((connected() ? listings.rows(ids) : []).map((row) => [row.listingId, row]));
    return { ...page, rows: page.rows.map((row) => ({ ...row, listing: known.get(row.listingId ?? '') ?? null })) };
  };
  return {
    'listings.search': async ({ sort, offset, limit, ...filter }) =>
      connected() ? listings.search(filter, { sort, offset, limit }) : { total: 0, rows: [] },
    'listings.counts': async () => listings.counts(),
    'listings.askingValue': async () => (connected() ? listings.askingValue() : []),
    'listings.kept': async ({ listingId }) => (connected() ? listings.readStored(listingId) : null),
    'listings.written': async ({ listingId }) => (connected() ? listings.written(listingId) : null),
    'listings.warnings': async ({ listingId }) =>
      connected() ? (companion.readWarnings(person, [listingId]).get(listingId) ?? []) : [],
    'listings.duplicates': async (own) => (connected() ? companion.duplicates.list(own) : { own: null, live: [] }),
    'listings.keepDifferent': ({ own, liveListingId }) => companion.duplicates.keepDifferent(own, liveListingId),
    'listings.isUnknown': async ({ listingId }) => connected() && listings.isUnknown(listingId),
    'listings.forgetUnknown': async ({ listingId }) => listings.forgetUnknown(listingId),
    'listings.keepBulkEdit': async ({ editId, ...edit }) => listings.keepBulkEdit(editId, edit),
    'listings.lastBulkEdit': async () => (connected() ? listings.lastBulkEdit() : null),
    'listings.forgetBulkEdits': async () => listings.forgetBulkEdits(),
    'listings.again': async () => listings.readAgain(),
    'listings.export': (filter) => companion.exports.exportListings(filter),
    'links.inspect': async ({ url }) => companion.pageLinks.inspectLink(url),
    'links.ask': async ({ url }) => companion.pageLinks.askHost(url),
    'links.agree': async ({ questionId }) => ({ url: companion.pageLinks.agreeToHost(questionId) }),
    'notifications.list': async () => listNotifications(),
    'notifications.viewed': async () => {
      await notifications.viewed();
      return listNotifications();
    },
    'notifications.read': async ({ notifId }) => {
      await notifications.read(notifId);
      return listNotifications();
    },
  };
};

const createServiceHandlers = ({ companion, host }: HandlerContext): HandlersOf<'service' | 'offers'> => {
  /** The requests that a window can stop waiting for, by `waitId`. */
  const waiting = new Map<string, AbortController>();
  return {
    'service.perform': async ({ route, input, waitId, addedItemId }) => {
      const request = { by: { kind: 'person' }, route, input, addedItemId } as const;
      if (waitId === undefined) return companion.perform(request);
      const wait = new AbortController();
      waiting.set(waitId, wait);
      try {
        return await companion.perform({ ...request, signal: wait.signal });
      } finally {
        waiting.delete(waitId);
      }
    },
    'service.stopWaiting': async ({ waitId }) => waiting.get(waitId)?.abort(createProblem('STOPPED_WAITING')),
    'offers.list': async () => companion.offers.list(),
    // No further check is needed, because the window has shown the host of the offer to the person.
    'offers.open': async ({ offerId }) => host.openLink(companion.offers.open(offerId)),
    'offers.dismiss': async ({ offerId }) => companion.offers.dismiss(offerId),
  };
};

const createApprovalHandlers = ({ companion, connected }: HandlerContext): HandlersOf<'approvals'> => {
  const { approvals } = companion;
  return {
    'approvals.list': async () => (connected() ? [...approvals.listUnsettled(), ...approvals.listPending()] : []),
    'approvals.history': async () => (connected() ? approvals.history() : []),
    'approvals.get': async ({ approvalId }) => approvals.readView(approvalId),
    'approvals.approve': ({ approvalId, digest }, windowSession, proofId) =>
      approvals.approve(approvalId, digest, windowSession, proofId),
    'approvals.shown': async ({ isAutomated, rows }, windowSession = '') => {
      approvals.windowSessions.noteAutomation(windowSession, isAutomated);
      approvals.recordShown(windowSession, rows);
      return { windowSession };
    },
    'approvals.decline': async ({ approvalId, digest, why }) => approvals.decline(approvalId, digest, why),
    'approvals.takeBack': async ({ approvalId }) => approvals.takeBack(approvalId),
    'approvals.unlock': async ({ approvalId }) => approvals.unlockListing(approvalId),
    'approvals.lower': ({ approvalId, digest, count }) => approvals.lowerExtras(approvalId, digest, count),
  };
};

const createBatchHandlers = ({ companion, connected }: HandlerContext): HandlersOf<'batch'> => {
  const { batches } = companion;
  return {
    'batch.ask': ({ listingIds }) => batches.publishListings(listingIds),
    'batch.askFor': async ({ requests }) => {
      const [asked] = await batches.requestBatches({ kind: 'person' }, requests);
      if (!asked) throw createProblem('NOT_FOUND.batch');
      return asked;
    },
    'batch.list': async () => (connected() ? batches.listOpen() : []),
    'batch.takeBack': async ({ batchId }) => batches.takeBack(batchId),
    'batch.approve': ({ batchId, rows, unticked }, windowSession, proofId) =>
      batches.approveRows(batchId, { chosen: rows, others: unticked }, windowSession, proofId),
    'batch.read': async ({ batchId }) => batches.readBatch(batchId),
    'batch.stop': async ({ batchId }) => batches.stopSending(batchId),
    'batch.close': async ({ batchId, rows }) => batches.closeBatch(batchId, rows),
  };
};

const createHistoryHandlers = ({
  companion,
  stateAfter,
}: HandlerContext): HandlersOf<'history' | 'receipts' | 'exports'> => {
  const { searchHistory, receipts, exports } = companion;
  return {
    'history.search': async ({ language = 'en', ...asked }) => {
      const found = await searchHistory.search(asked);
      const { describeRecordRows } = await import('./ceremony/describeRecord.ts');
      return { ...found, rows: await describeRecordRows(found.rows, language) };
    },
    'history.export': ({ format }) => exports.exportHistory(format),
    'history.acknowledge': async () => stateAfter(companion.acknowledgeLedger()),
    'receipts.export': async ({ approvalId }) => receipts.exportReceipt(approvalId),
    'receipts.exportAll': () => exports.exportReceipts(),
    'exports.list': async () => exports.list(),
    'exports.cancel': async ({ exportId }) => {
      await exports.cancel(exportId);
      return null;
    },
  };
};

const createAssistantHandlers = ({ companion }: HandlerContext): HandlersOf<'assistants'> => {
  const { assistants, activity } = companion;
  return {
    'assistants.list': async () => assistants.list(),
    'assistants.accept': async ({ pairingId, access }) => assistants.accept(pairingId, access),
    'assistants.refuse': async ({ pairingId }) => assistants.refuse(pairingId),
    'assistants.change': async ({ assistantId, ...changes }) => assistants.change(assistantId, changes),
    'assistants.revoke': async ({ assistantId }) => assistants.revoke(assistantId),
    'assistants.activity': async ({ assistantId }) => ({ rows: activity.list(assistantId) }),
  };
};
