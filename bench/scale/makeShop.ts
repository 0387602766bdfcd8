import { createHash } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Listing } from '../../src/contract/index.ts';
import { createLedger } from '../../src/core/approvals/ledger/ledger.ts';
import { openSigner } from '../../src/core/approvals/ledger/signatures.ts';
import type { Secrets } from '../../src/core/base/ports.ts';
import { openMigratedDatabase, type Db } from '../../src/core/storage/database.ts';
import { createListingsTable } from '../../src/core/storage/tables/listings/listingsTable.ts';
import { computeStoredSection } from '../../src/core/storage/tables/itemsTable.ts';
import type { Step } from '../../src/core/storage/tables/itemRecord.ts';
import { createFileSecrets } from '../../test/helpers/hosts/createFileSecrets.ts';
import { runTestHost } from '../../test/helpers/hosts/testHost.ts';
import { createSettingsTable } from '../../src/core/storage/tables/settingsTable.ts';
import { readAccount } from '../../test/helpers/manyItems.ts';
import { things } from '../things.ts';
import { addApprovals, askers } from './addApprovals.ts';

/** The size of a shop at factor 1. The approvals have 180,000 rows in the ledger. */
export const shopSize = { listings: 116_000, items: 20_000, photosOfItem: 15, approvals: 50_000 } as const;

const newestAt = Date.now();
const minuteMs = 60_000;
/** A text that one title and one approval contain. */
export const rareText = 'Quetzalcoatlus';

const colours = ['Blue', 'Red', 'Green', 'Black', 'White'];
const statuses: readonly Listing['status'][] = [
  'published',
  'published',
  'published',
  'sold',
  'ended',
  'pending_review',
  'published',
  'sold',
];
const description = `<p>${'In good condition, kept in a smoke-free home, tested before sale. '.repeat(10)}</p>`;

const createTitle = (at: number): string =>
  at === 7
    ? `Model of a ${rareText}, hand painted`
    : `${colours[at % colours.length]} ${things[at % things.length]} no. ${at}, tested, with its case and strap`;

export const createListing = (at: number): Listing => ({
  listingId: `lst_scale_${at}`,
  status: statuses[at % statuses.length] ?? 'published',
  title: createTitle(at),
  description,
  marketplaceId: at % 3 === 0 ? 'MKT_DE' : 'MKT_US',
  categoryName: 'Collectables > Things',
  condition: 'USED_GOOD',
  sku: `S${at}`,
  price: 500 + ((at * 37) % 20_000),
  quantity: 1,
  createdAt: new Date(newestAt - at * minuteMs).toISOString(),
  itemSpecifics: { Material: 'Ceramic', Colour: colours[at % colours.length] ?? 'Blue' },
});

const addListings = (db: Db, account: string, count: number): void => {
  const table = createListingsTable(db);
  for (let at = 0; at < count; at += 1) table.keep(account, createListing(at), newestAt - at * minuteMs);
};

/** The steps of ten consecutive items. One tenth is being arranged. */
const stepsInTurn: readonly Step[] = [
  ...(['review', 'live', 'live', 'ended', 'review'] as const),
  ...(['live', 'arranging', 'live', 'review', 'live'] as const),
];

const computeTextHash = (text: string): string => createHash('sha256').update(text).digest('hex');

const thumbnailCount = 100;

const getThumbnailPath = (preparedDir: string, at: number): string =>
  join(preparedDir, `thumbnail ${at % thumbnailCount}.jpg`);

const drawThumbnails = async (preparedDir: string): Promise<void> => {
  for (let at = 0; at < thumbnailCount; at += 1)
    await sharp({ create: { width: 320, height: 240, channels: 3, background: `hsl(${at * 37}, 60%, 50%)` } })
      .jpeg()
      .toFile(getThumbnailPath(preparedDir, at));
};

/** All items are from folders with ten items each, and their photos differ from each other. */
const addItems = (db: Db, account: string, { preparedDir, count }: { preparedDir: string; count: number }): void => {
  const item = db.prepare(`insert into items (item_id, account, name, note, by, step, idempotency_key, draft_body,
      draft_sent_at, listing_id, review_reason, section, created_at, updated_at)
    values (@id, @account, @name, 'From the attic.', @by, @step, @id, @body, @sent, @listing, @reason, @section, @at, @at)`);
  const photo = db.prepare(`insert into photos (photo_id, item_id, position, name, source, state, path, thumb_path,
      content_type, width, height, bytes, uploaded_at, sha256, hash64, original_bytes, original_sha256, taken_at)
    values (@id, @item, @position, @name, @source, 'ready', @path, @thumb, 'image/jpeg', 1600, 1200, 240000, @sent, @sha,
      @hash, @bytes, @sha, @at)`);
  for (let at = 0; at < count; at += 1) {
    const step = stepsInTurn[at % stepsInTurn.length] ?? 'live';
    const [id, createdAt, isEarly] = [`it_scale_${at}`, newestAt - at * minuteMs, step === 'arranging'];
    const reason = isEarly ? 'grouped' : null;
    item.run({
      ...{ id, account, step, reason, name: `thing ${at}`, at: createdAt, sent: isEarly ? null : createdAt },
      by: JSON.stringify(at % 4 === 0 ? askers[0] : { kind: 'person' }),
      listing: isEarly ? null : `lst_scale_${at}`,
      body: isEarly ? null : JSON.stringify({ quantity: 1, additionalContext: 'From the attic.' }),
      section: computeStoredSection({ step, stop: null, review_reason: reason, checked_at: null }),
    });
    for (let position = 0; position < shopSize.photosOfItem; position += 1) {
      const sha = computeTextHash(`${at}/${position}`);
      photo.run({
        ...{ id: `ph_scale_${at}_${position}`, item: id, position, sha, hash: sha.slice(0, 16), at: createdAt },
        ...{ name: `IMG_${position}.jpg`, source: `/photos of/${Math.floor(at / 10)}/thing ${at}/IMG_${position}.jpg` },
        path: join(preparedDir, `ph_scale_${at}_${position}.jpg`),
        thumb: getThumbnailPath(preparedDir, at + position),
        ...{ sent: isEarly ? null : createdAt, bytes: 2_000_000 + at * shopSize.photosOfItem + position },
      });
    }
  }
};

const connectPracticeShop = async (dataDir: string, secrets: Secrets): Promise<void> => {
  const running = await runTestHost(dataDir, { secrets });
  try {
    await running.handlers['connect.practice']({ shop: 'empty', fresh: false }, 'ws_bench');
  } finally {
    await running.stop();
  }
};

/** A data folder and the keychain that contains the key that has signed its ledger. */
export type ScaleShop = { dataDir: string; secrets: Secrets };

export const openShop = (root: string): ScaleShop => ({
  dataDir: join(root, 'data'),
  secrets: createFileSecrets(join(root, 'keychain.json')),
});

/** Makes a shop of this size in an empty folder. Of its photos only the thumbnails exist. */
export const makeShop = async (root: string, factor: number): Promise<void> => {
  const { dataDir, secrets } = openShop(root);
  await connectPracticeShop(dataDir, secrets);
  const account = readAccount(dataDir);
  const db = openMigratedDatabase(join(dataDir, 'companion.db'));
  try {
    db.pragma('synchronous = OFF');
    const ledger = createLedger(db, openSigner((await secrets.get('ledger-key')) ?? '', secrets.kind));
    const scale = (count: number): number => Math.round(count * factor);
    const preparedDir = join(dataDir, 'prepared');
    await drawThumbnails(preparedDir);
    db.transaction(() => {
      addListings(db, account, scale(shopSize.listings));
      addItems(db, account, { preparedDir, count: scale(shopSize.items) });
      addApprovals({ db, ledger, account, newestAt }, createListing, scale(shopSize.approvals));
    })();
    // Otherwise the companion would read all listings from the service, which does not have them.
    createSettingsTable(db).write(`listings read ${account}`, Date.now());
    await secrets.set('ledger-head', JSON.stringify(ledger.end()));
    db.pragma('wal_checkpoint(truncate)');
  } finally {
    db.close();
  }
};
