import Database from 'better-sqlite3';
import type { Listing, RawInput, RouteName } from '../../../src/contract/index.ts';
import { toProblemView } from '../../../src/core/base/problem.ts';
import type { OfferedFile } from '../../../src/core/companion/dataTasks/fileExports.ts';
import type { Companion } from '../../../src/core/companion/createCompanion.ts';
import * as act from '../../../src/core/items/itemActions.ts';
import {
  createArrangementActions,
  createArrangementQueue,
  type ItemControl,
} from '../../../src/core/items/arranging/arrangementActions.ts';
import { storeChosenPhotos } from '../../../src/core/items/choosePhotos.ts';
import { createDuplicatesApi } from '../../../src/core/companion/companionApi.ts';
import { createBorderedSheet } from '../../../src/core/items/arranging/contactSheet.ts';
import { createContactSheetChanges } from '../../../src/core/items/arranging/contactSheetChanges.ts';
import { estimateStoredBorders } from '../../../src/core/items/arranging/storedBorders.ts';
import {
  createItemChangeLog,
  createChangeRecordingTable,
  type ItemChangeLog,
} from '../../../src/core/items/itemChanges.ts';
import { createItemList } from '../../../src/core/items/itemList.ts';
import { createPhotoChanges } from '../../../src/core/items/photoChange/photoChanges.ts';
import type { PhotoChangeRunner } from '../../../src/core/items/photoChange/photoChangeRunner.ts';
import { createItemFromWishedPhotos } from '../../../src/core/items/photoChange/writeAgain.ts';
import { createItemReader } from '../../../src/core/items/itemView.ts';
import type { ItemsContext } from '../../../src/core/items/itemsContext.ts';
import { createDuplicateFinder } from '../../../src/core/listings/duplicates.ts';
import { createDuplicatesTable } from '../../../src/core/storage/tables/listings/duplicatesTable.ts';
import { createWarningReader } from '../../../src/core/listings/warningReader.ts';
import { createWarningFactsTable } from '../../../src/core/storage/tables/listings/warningFactsTable.ts';
import { createListingsService, exportListings } from '../../../src/core/listings/listings.ts';
import { createRowInserter, openMigratedDatabase, textValues, type Db } from '../../../src/core/storage/database.ts';
import { createArrangementsTable } from '../../../src/core/storage/tables/arrangementsTable.ts';
import { createRunningItemCounter } from '../../../src/core/storage/runningItems.ts';
import type { BarcodeView, ItemFields, ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { createItemsTable, type ItemsTable } from '../../../src/core/storage/tables/itemsTable.ts';
import type { ListingFilter } from '../../../src/core/storage/tables/listings/listingSearch.ts';
import { createBulkEditsTable, createListingsTable } from '../../../src/core/storage/tables/listings/listingsTable.ts';
import { createPickList, type PickList } from '../../../src/core/shelf/pickList.ts';
import { createShelf, type Shelf } from '../../../src/core/shelf/shelf.ts';
import { createSalesTable } from '../../../src/core/storage/tables/salesTable.ts';
import { createSettingsTable } from '../../../src/core/storage/tables/settingsTable.ts';
import { createClientSnippets } from '../../../src/host/clients/snippets.ts';
import { createHandlers } from '../../../src/host/handlers.ts';
import { createLabelPrinter } from '../../../src/host/labels/labelPrinter.ts';
import type { CallReply } from '../../../src/ipc/calls.ts';
import { createCallServer } from '../../../src/ipc/serveCalls.ts';
import { openPractice, type PageListing, type PracticePerson } from './practiceCalls.ts';

/** A page's person, its items with their listings, and the rows of its table as JSON; null if unchanged. */
export type PageData = {
  person: PracticePerson;
  /** The listing that a request to the service is about. */
  listing: PageListing | null;
  items: ItemView[];
  listings: Listing[];
  rows: string | null;
};
/** A call of a page with the page's current data. */
export type CoreRequest = { page: string; name: string; input: unknown; data: PageData };
/** The reply, and the items after the call if it changed them. */
export type CoreReply = { reply: CallReply; items: ItemView[] | null };

/** The table of listings has its own account, so that it does not contain the items' listings. */
const [itemsAccount, rowsAccount] = ['items', 'rows'];
const photoCap = 4;
const bridgeUrl = 'http://127.0.0.1:47800';
const command = { program: '/home/robin/Listing Companion/node', args: ['mcp'] };
const places = { platform: 'linux', home: '/home/robin', env: {} } as const;
const clock = { now: Date.now, elapsedMs: () => performance.now(), sleep: () => new Promise<void>(() => undefined) };
const labels = createLabelPrinter();
const emptyDatabase = openMigratedDatabase(':memory:').serialize();

const putItem = (db: Db, table: ItemsTable, item: ItemView, createdAt: number): void => {
  const { itemId, name, step, stop, quantity, note, text, template, arrangeable } = item;
  const by = { kind: 'person' } as const;
  const chosen = item.barcodes.flatMap(({ value, state }) => (state === 'offered' ? [] : [[value, state] as const]));
  table.add(
    {
      ...{ item_id: itemId, account: itemsAccount, name, by, idempotency_key: itemId, created_at: createdAt },
      ...{ step, stop, quantity, note, review_reason: item.reviewReason, listing_id: item.listingId },
      ...{ text: text?.text ?? null, text_name: text?.name ?? null, text_used: text?.used ? 1 : 0 },
      checked_at: item.checked ? createdAt : null,
      draft_sent_at: item.noteOpen ? null : createdAt,
      template_id: template.templateId === null ? '' : (template.templateId ?? null),
      barcode_choices: Object.fromEntries(chosen),
    },
    [],
  );
  const insertPhoto = createRowInserter(db, 'photos');
  for (const [removed, photos] of [item.photos, item.removedPhotos].entries())
    for (const [position, photo] of photos.entries()) {
      const { photoId, state, sentence, aside, width, height } = photo;
      insertPhoto({
        ...{ photo_id: photoId, item_id: itemId, position, name: photo.name, source: photoId, state, sentence, aside },
        ...{ width, height, path: photo.fullUrl, thumb_path: photo.thumbUrl, edits: photo.edits },
        ...{ duplicate_of: photo.duplicateOf, taken_at: photo.takenAt, removed_at: removed === 1 ? createdAt : null },
        warnings: photo.warnings.map(({ code }) => code),
        barcodes: item.barcodes.flatMap(({ value, format, photoId: of }) =>
          of === photoId ? [{ value, format }] : [],
        ),
        choice: aside === 'person' ? 'aside' : null,
        label_sku: aside === 'label' ? 'A04-7' : null,
        uploaded_at: photo.uploaded && !arrangeable ? createdAt : null,
      });
    }
};

const boundPhotosPath = '/bound-photos/';

const putPhotoChange = (db: Db, { itemId, listingId, photos, photoChange: change }: ItemView): void => {
  if (change === null) return;
  const { stage, isUnsettled, isCancelled, problem } = change;
  createRowInserter(
    db,
    'photo_changes',
  )({
    ...{ item_id: itemId, account: itemsAccount, listing_id: listingId ?? '', stage, problem },
    before: photos.flatMap(({ photoId, state }) => (state === 'ready' ? [photoId] : [])),
    wished: change.photos.map(({ photoId }) => photoId),
    rounds: isUnsettled ? 1 : 0,
    cancelled: isCancelled ? 1 : 0,
    shown: change.shownUrls.map((url) => url.replace(boundPhotosPath, '')),
  });
};

/** The same in each call, because an unchanged item is not rendered again. */
const firstItemAt = clock.now();

/** Replaces the items and records those that have settled since. */
const putItems = (db: Db, changes: ItemChangeLog, { items, listings }: PageData): void => {
  const before = createChangeRecordingTable(createItemsTable(db), changes);
  const now = clock.now();
  db.transaction(() => {
    for (const { itemId, step, stop } of items) if (before.read(itemId)) before.change(itemId, { step, stop }, now);
    db.exec('delete from photos; delete from items');
    const table = createItemsTable(db);
    // The first item is the newest.
    for (const [at, item] of items.entries()) putItem(db, table, item, firstItemAt - at);
    for (const item of items) putPhotoChange(db, item);
    const kept = createListingsTable(db);
    for (const listing of listings) kept.keep(itemsAccount, listing, now);
  })();
  for (const { itemId } of items) changes.note(itemId);
};

/** Fields that all listings of the table share. */
const alike = '{"description":"<p>Well kept.</p>","itemSpecifics":{"Brand":"Acme"},"imageUrls":[""],';

/** Replaces the listings of the table, with one statement per database table because there may be 100,000. */
const putRows = (db: Db, rows: string): void => {
  const [mine, now] = [`account = '${rowsAccount}'`, clock.now()];
  const listings = `insert into listings (account, listing_id, status, title, json, changed_at)
    select '${rowsAccount}', value ->> 'listingId', value ->> 'status', value ->> 'title', ? || substr(value, 2), ${now}
    from json_each(?)`;
  db.transaction(() => {
    db.exec(`delete from listing_words where rowid in (select row_id from listing_keys where ${mine});
      delete from listing_keys where ${mine}; delete from listings where ${mine}`);
    db.prepare(listings).run(alike, rows);
    db.exec(`insert into listing_keys (account, listing_id, status, title, site, price_cents, listed_at, missing, ended_at)
      select account, listing_id, status, title, json ->> 'marketplaceId', json ->> 'price', json ->> 'listedAt',
        json ->> 'isMissing', unixepoch(json ->> 'endedAt') * 1000 from listings where ${mine} order by rowid desc;
      insert into listing_words (rowid, title, words) select row_id, coalesce(title, ''), listing_id
        from listing_keys where ${mine}`);
  })();
};

const createItemParts = (db: Db, changes: ItemChangeLog) => {
  const table = createChangeRecordingTable(createItemsTable(db), changes);
  const account = (): string => itemsAccount;
  const given = { table, clock, account, arrangements: createArrangementsTable(db), listings: createListingsTable(db) };
  const still = {
    ...{ photoCap: () => photoCap, sentBytes: new Map(), writingSemaphore: { position: () => null } },
    photoUploads: { close: () => undefined, inFlight: () => false },
    ...{ dropPrompts: () => undefined, pacing: { hurry: () => undefined } },
    preparing: { photo: async () => 'settled' },
    arrangeInTurn: createArrangementQueue(),
    runListingWrite: (_listingId: string, work: () => Promise<unknown>) => work(),
  };
  // Without the parts that prepare, send and generate: nothing here runs in the background.
  const context = { ...given, ...still, notifyItemChanged: changes.note } as unknown as ItemsContext;
  const reads = createItemReader(context, { trouble: () => null, photoTrouble: () => null }, changes);
  const control: ItemControl = {
    ...reads,
    halt: async () => undefined,
    groupDrops: () => undefined,
    /** Photos are ready again at once. */
    start: (itemId) => {
      for (const { photo_id, state } of table.photos(itemId))
        if (state === 'waiting') table.changePhoto(photo_id, { state: 'ready' });
      storeChosenPhotos(context, itemId, photoCap);
      if (reads.need(itemId).step === 'photos') table.change(itemId, { step: 'arranging' }, clock.now());
    },
  };
  const parts = { context, reads, runner: control };
  /** Nothing is sent, so a change stays at its second step. */
  const photoRunner: PhotoChangeRunner = {
    start: (itemId) => table.photoChanges.change(itemId, { stage: 'sending' }),
    halt: async () => undefined,
    trouble: () => null,
    open: () => undefined,
    stop: async () => undefined,
  };
  const photoChange = createPhotoChanges({ ...parts, photoRunner });
  const duplicates = createDuplicatesTable(db);
  const findDuplicates = createDuplicateFinder(duplicates, table, account);
  const readWarnings = createWarningReader(createWarningFactsTable(db), findDuplicates, account);
  const { rows } = openListings(db, itemsAccount);
  const runtime = { placeInLine: () => null, trouble: () => null };
  const ids = db.prepare('select item_id from items order by created_at desc, rowid desc').pluck();
  return {
    /** The new photo needs no preparation and looks like the former one. */
    replacePhoto: async (_source: unknown, itemId: string, photoId: string): Promise<ItemView> => {
      const like = table.photo(photoId);
      const view = await photoChange.replace(itemId, photoId, {
        name: 'sharper.jpg',
        source: '',
        root: null,
        owned: false,
      });
      const made = view.photoChange?.photos.find(({ name, state }) => name === 'sharper.jpg' && state === 'waiting');
      if (made && like) {
        const { path, thumb_path, width, height } = like;
        table.changePhoto(made.photoId, { ...{ path, thumb_path, width, height }, state: 'ready' });
      }
      return reads.view(reads.need(itemId));
    },
    duplicates: createDuplicatesApi({
      services: { findDuplicates, duplicates, connection: { account }, changed: () => undefined },
      listings: { rows },
      items: { get: (itemId) => reads.view(reads.need(itemId)), begin: async () => 0 },
      shelf: createShelfParts(db),
    }),
    readWarnings: (_by: unknown, listingIds: readonly string[]) =>
      readWarnings({ listingIds, makerId: null, prices: 'all' }),
    views: (): ItemView[] => [...reads.views(textValues.parse(ids.all()))].flat(),
    items: {
      get: (itemId: string) => reads.view(reads.need(itemId)),
      list: createItemList({
        pages: table.pages,
        shelf: table.shelf,
        account,
        clock,
        changes,
        readWarnings,
        ...runtime,
      }),
      ofListing: (listingId: string) => table.idOfListing(itemsAccount, listingId),
      sheetChanges: createContactSheetChanges(),
      contactSheet: {
        load: async () => undefined,
        ...createBorderedSheet(context, changes, () => estimateStoredBorders(table, { account: itemsAccount })),
      },
      cancel: (itemId: string) => act.cancelRunningItem(parts, itemId),
      skipUnreadable: (itemId: string) => act.skipUnreadablePhotos(parts, itemId),
      remove: (itemId: string) => act.removeItemWithPhotos(parts, itemId),
      change: (itemId: string, changed: Partial<ItemFields>) => act.changeItemFields(parts, itemId, changed),
      useText: (itemId: string, used: boolean) => act.setFolderTextUsed(parts, itemId, used),
      check: (itemId: string, seen: Listing | null) => act.markListingChecked(parts, itemId, seen),
      defer: (itemId: string) => act.deferItemForReview(parts, itemId),
      beginWith: (itemId: string, templateId: string | null) => act.chooseItemTemplate(parts, itemId, templateId),
      barcode: (itemId: string, value: string, state: BarcodeView['state']) =>
        act.storeBarcodeChoice(parts, itemId, value, state),
      arranging: createArrangementActions(context, control),
      photoChange: {
        ...photoChange,
        writeAgain: (itemId: string) => createItemFromWishedPhotos({ ...parts, photoRunner }, itemId),
      },
    },
  };
};

const openListings = (db: Db, account: string) => {
  const settings = createSettingsTable(db);
  const listings = createListingsTable(db);
  settings.write(`listings read ${account}`, clock.now() - 240_000);
  const connection = { account: () => account, who: () => ({ account }), state: () => 'none' };
  const parts = { db, settings, listings, connection, bulkEdits: createBulkEditsTable(db), changed: () => undefined };
  const forget = (listingId: string): void => listings.remove(account, listingId);
  return createListingsService({ ...parts, forget, hasItem: () => false } as unknown as Parameters<
    typeof createListingsService
  >[0]);
};

/** A search for certain listings also finds those of the items. */
const createListingParts = (db: Db) => {
  const [rows, ofItems] = [openListings(db, rowsAccount), openListings(db, itemsAccount)];
  const search: typeof rows.search = (query, page) => {
    const found = rows.search(query, page);
    return query.only && found.total === 0 ? ofItems.search(query, page) : found;
  };
  return { ...rows, search };
};

const createListingsFile = (db: Db, filter: ListingFilter): OfferedFile => {
  const text = Array.from(exportListings(db, rowsAccount, filter), (part) => part.text).join('');
  return { name: 'listings.csv', url: `data:text/csv,${encodeURIComponent(text)}` };
};

/** A shelf for each of the two accounts: the account of the items has the listings of the items too. */
const createShelfParts = (db: Db): Shelf => {
  const itemsTable = createItemsTable(db);
  const openShelf = (account: string): Shelf =>
    createShelf({
      ...{ table: itemsTable.shelf, itemsTable, listings: createListingsTable(db), settings: createSettingsTable(db) },
      ...{ clock, changed: () => undefined, account: () => account, usualCurrency: () => 'USD' },
    });
  const [items, rows] = [openShelf(itemsAccount), openShelf(rowsAccount)];
  items.noteFolderNames(['red hat bin A02', 'K7 brass lamp 12,5']);
  const choose = (listingIds: readonly string[] = []): Shelf =>
    listingIds.some((listingId) => itemsTable.idOfListing(itemsAccount, listingId) === null) ? rows : items;
  return {
    ...items,
    read: (target) => choose('listingId' in target ? [target.listingId] : []).read(target),
    change: (targets, ...rest) => choose(targets.listingIds).change(targets, ...rest),
    number: (targets) => choose(targets.listingIds).number(targets),
    labels: (targets) => choose(targets.listingIds).labels(targets),
    lastEdit: () => items.lastEdit() ?? rows.lastEdit(),
    undo: () => (items.lastEdit() ? items : rows).undo(),
    findBySku: (sku) => [...items.findBySku(sku), ...rows.findBySku(sku)],
  };
};

const createPickListParts = (db: Db): PickList =>
  createPickList({
    ...{ sales: createSalesTable(db), listings: openListings(db, rowsAccount), clock, changed: () => undefined },
    ...{ readNotices: () => [], account: () => rowsAccount },
  });

const changesItems =
  /^photos|^listingPhotos|^items\.(barcode|beginWith|cancel|change|check|defer|merge|movePhotos|order|remove|skip|split|undo|useText)/;

/** Opens the calls of one page: the hosts' handlers on a database and a practice service in memory. */
const openPage = () => {
  const db = new Database(emptyDatabase);
  const changes = createItemChangeLog();
  const count = createRunningItemCounter(db);
  let last = '';
  let open: ReturnType<typeof openParts> | null = null;
  let practice: ReturnType<typeof openPractice> | null = null;
  let listing: PageListing | null = null;
  const openParts = (person: PracticePerson) => {
    const { items, views, readWarnings, duplicates, replacePhoto } = createItemParts(db, changes);
    const state = (): { connection: string } => ({ connection: 'connected' });
    const work = () => count(itemsAccount);
    const perform = async ({ route, input }: { route: RouteName; input: RawInput }) =>
      (await (practice ??= openPractice(person)))(route, input, listing);
    const own = {
      ...{ items, duplicates },
      readWarnings,
      replacePhoto,
      listings: createListingParts(db),
      exports: { exportListings: async (filter: ListingFilter) => createListingsFile(db, filter) },
      shelf: createShelfParts(db),
      pickList: createPickListParts(db),
      state,
      work,
      perform,
      changeSettings: () => undefined,
    };
    const companion = own as unknown as Companion;
    const clients = { 'clients.snippets': async () => createClientSnippets(bridgeUrl, command, places) };
    const host = {
      shell: { openPdf: async () => undefined },
      startReport: { handlers: {} },
      clients,
      labels,
    } as unknown as Parameters<typeof createHandlers>[1];
    return {
      views,
      serve: createCallServer({
        ...{ handlers: createHandlers(companion, host), requireProof: () => undefined, problemView: toProblemView },
      }),
    };
  };
  return async ({ name, input, data }: CoreRequest): Promise<CoreReply> => {
    if (data.rows) putRows(db, data.rows);
    listing = data.listing;
    const toText = (items: ItemView[]): string => JSON.stringify([items, data.listings]);
    if (open === null || last !== toText(data.items)) {
      putItems(db, changes, data);
      open = openParts(data.person);
      last = toText(data.items);
    }
    const reply = await open.serve(name, input);
    if (!changesItems.test(name) || !reply.ok) return { reply, items: null };
    const items = open.views();
    last = toText(items);
    return { reply, items };
  };
};

const maxPages = 4;

/** Creates the server for pages' calls about items and listings, and for requests to the service. */
export const createCoreCalls = () => {
  const pages = new Map<string, ReturnType<typeof openPage>>();
  return (request: CoreRequest): Promise<CoreReply> => {
    const page = pages.get(request.page) ?? openPage();
    pages.delete(request.page);
    pages.set(request.page, page);
    for (const old of pages.keys()) if (pages.size > maxPages) pages.delete(old);
    return page(request);
  };
};
