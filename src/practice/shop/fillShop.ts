import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulatePurchase } from '../controls/marketplace.ts';
import { dayMs, hourMs } from '../clock.ts';
import { runInTransaction, countRow, selectFirstRow, runStatement } from '../database.ts';
import { createPrefixedId, createRandomText } from '../ids.ts';
import { createSeededRandom } from '../market/comps.ts';
import { getCategoryName, findCategoryById } from '../market/taxonomy.ts';
import { findSiteById } from '../market/sites.ts';
import { createMissingPolicies, confirmFeeNotice } from '../world/marketAccount.ts';
import { connectOtherChannel } from '../world/listings/channels.ts';
import { relistEndedListing, endUnsoldListing } from '../world/listings/changes.ts';
import { getFailureSentence } from '../world/listings/generation.ts';
import { findListingById, updateListingColumns, type ListingUpdate } from '../world/listings/listings.ts';
import { publishOnMarket } from '../world/listings/publish.ts';
import { addPersonNotification } from '../world/messages.ts';
import { requirePersonById } from '../world/people.ts';
import { insertListingTemplate } from '../world/templates.ts';
import type { World } from '../world/world.ts';
import { createPictureEncoder, type PictureHues } from './drawPicture.ts';
import { productKinds, type ProductKind } from './productKinds.ts';

/** Returns the world with its clock set to `at`, so that effects are recorded with that time. */
const createWorldAt = (world: World, at: number): World => ({ ...world, clock: { ...world.clock, now: () => at } });

const sites = ['MKT_US', 'MKT_US', 'MKT_US', 'MKT_GB', 'MKT_DE'] as const;
const conditions = ['USED_GOOD', 'USED_EXCELLENT', 'LIKE_NEW', 'NEW', 'USED_GOOD'] as const;
const buyers = [
  'harbour_finds',
  'm.okafor',
  'lena-w',
  'oldtimer77',
  'quiet.reader',
  'sunday_shop',
  'tomasz_k',
  'b.lindqvist',
];

type ListingFate = 'sold' | 'live' | 'unsold' | 'review' | 'blocked' | 'draft' | 'failed' | 'relisted';

const fates: readonly (readonly ListingFate[])[] = [
  ['sold', 'sold', 'sold', 'sold', 'unsold', 'sold', 'sold', 'sold', 'live', 'sold', 'sold', 'unsold'],
  ['sold', 'sold', 'live', 'sold', 'sold', 'sold', 'unsold', 'sold', 'sold', 'live', 'sold', 'sold'],
  ['live', 'sold', 'live', 'sold', 'relisted', 'live', 'sold', 'live', 'sold', 'live', 'sold', 'live'],
  ['live', 'live', 'sold', 'live', 'live', 'sold', 'live', 'live', 'live', 'sold', 'live', 'live'],
  ['live', 'review', 'live', 'review', 'blocked', 'failed', 'live', 'review', 'draft', 'review', 'live', 'review'],
];

type ShopEvent = { at: number; applyTo: (pastWorld: World) => void };

type StockedListing = {
  listingId: string;
  kind: ProductKind;
  title: string;
  fate: ListingFate;
  site: string;
  madeAt: number;
  hues: PictureHues;
};

const planShopStock = (now: number, next: () => number): StockedListing[] =>
  fates.flatMap((dozen, row) =>
    dozen.map((fate, column) => {
      const kind = productKinds[(column + row) % productKinds.length] ?? productKinds[0];
      if (kind === undefined) throw new Error('The shop sells nothing.');
      const number = row * 12 + column;
      return {
        ...{ kind, fate, listingId: createPrefixedId('lst') },
        title: kind.titles[row] ?? kind.titles[0] ?? '',
        site: sites[number % sites.length] ?? 'MKT_US',
        madeAt: Math.round(now - (90 - number * 1.5) * dayMs + next() * 6 * hourMs),
        hues: { thing: Math.floor(next() * 360), ground: Math.floor(next() * 360) },
      };
    }),
  );

const insertDraftListing = (world: World, userId: string, { listingId, site }: StockedListing): void => {
  const now = world.clock.now();
  runStatement(
    world.db,
    `INSERT INTO listings (listingId, userId, status, marketplaceId, listingLanguage, quantity, createdAt, updatedAt)
     VALUES (?, ?, 'draft', ?, 'en', 1, ?, ?)`,
    ...[listingId, userId, site, now, now],
  );
};

const pictures = new Map<ProductKind, ReturnType<typeof createPictureEncoder>>();

/** Drawing a picture is slow, so each kind is drawn only once. */
const getPictureEncoder = (kind: ProductKind): ReturnType<typeof createPictureEncoder> => {
  const picture = pictures.get(kind) ?? createPictureEncoder(kind.picture);
  pictures.set(kind, picture);
  return picture;
};

const addListingPicture = (world: World, listingId: string, bytes: Buffer): void => {
  const imageId = `img_${createRandomText(20)}`;
  const file = `${imageId}.png`;
  writeFileSync(join(world.photosDir, file), bytes);
  runStatement(
    world.db,
    'INSERT INTO photos (listingId, position, imageId, file, contentType, bytes, uploadedAt) VALUES (?, 0, ?, ?, ?, ?, ?)',
    ...[listingId, imageId, file, 'image/png', bytes.length, world.clock.now()],
  );
};

const buildWrittenFields = ({ kind, title, site, fate }: StockedListing, next: () => number): ListingUpdate => {
  const category = findCategoryById(kind.categoryId);
  if (category === undefined) throw new Error(`There is no category ${kind.categoryId}.`);
  const near = 0.8 + next() * 0.5;
  const price = Math.round(kind.priceCents * near * (findSiteById(site)?.perDollar ?? 1));
  const condition = conditions[Math.floor(next() * conditions.length)] ?? 'USED_GOOD';
  return {
    ...{ status: 'pending_review', written: true, title, condition, price, suggestedPrice: price },
    description: `<p>${title}, looked after and photographed as it is.</p><p>Sent within two working days, well packed.</p>`,
    categoryId: category.id,
    categoryName: getCategoryName(category, 'en'),
    itemSpecifics: fate === 'blocked' ? {} : { ...kind.specifics },
    ...(fate === 'blocked' ? { price: null } : {}),
    packageWeightGrams: kind.weightGrams,
    sku: `SHOP-${kind.categoryId}-${Math.floor(next() * 900) + 100}`,
    quantity: fate === 'live' && next() < 0.35 ? 4 : 1,
  };
};

const buildListingHistory = (userId: string, stock: StockedListing, now: number, next: () => number): ShopEvent[] => {
  const { listingId, fate, madeAt } = stock;
  const publishedAt = Math.round(madeAt + (1 + next() * 8) * hourMs);
  const pickTimeAfter = (from: number): number => Math.round(from + (0.15 + 0.7 * next()) * (now - from));
  const pickRandomBuyer = (): string => buyers[Math.floor(next() * buyers.length)] ?? 'a_buyer';
  const createSaleEvent = (at: number): ShopEvent => ({
    at,
    applyTo: (pastWorld) =>
      void simulatePurchase(pastWorld, { listingId, quantity: 1, buyer: pickRandomBuyer(), channelId: 'market' }),
  });
  const createPublishEvent = (at: number): ShopEvent => ({
    at,
    applyTo: (pastWorld) => void publishOnMarket(pastWorld, requirePersonById(pastWorld, userId), listingId, {}),
  });
  const createEndEvent = (at: number): ShopEvent => ({
    at,
    applyTo: (pastWorld) => {
      const listing = findListingById(pastWorld, listingId);
      if (listing) endUnsoldListing(pastWorld, listing, at);
    },
  });
  const text = buildWrittenFields(stock, next);
  const written: ShopEvent = {
    at: madeAt + 60_000,
    applyTo: (pastWorld) => updateListingColumns(pastWorld, listingId, text),
  };
  const live = [written, createPublishEvent(publishedAt)];
  if (fate === 'draft') return [];
  if (fate === 'review' || fate === 'blocked') return [written];
  if (fate === 'failed') {
    const sentence = getFailureSentence('IMAGES_UNREADABLE');
    const failed = { status: 'failed', processingErrorCode: 'IMAGES_UNREADABLE', processingError: sentence } as const;
    const tell = { kind: 'listing_failed', text: sentence, listingId } as const;
    return [
      {
        at: madeAt + 60_000,
        applyTo: (pastWorld) => [
          updateListingColumns(pastWorld, listingId, failed),
          addPersonNotification(pastWorld, userId, tell),
        ],
      },
    ];
  }
  if (fate === 'sold') return [...live, createSaleEvent(pickTimeAfter(publishedAt))];
  if (fate === 'unsold') return [...live, createEndEvent(pickTimeAfter(publishedAt))];
  if (fate === 'relisted') {
    const unsoldAt = pickTimeAfter(publishedAt);
    const relistEvent: ShopEvent = {
      at: unsoldAt + hourMs,
      applyTo: (pastWorld) => void relistEndedListing(pastWorld, requirePersonById(pastWorld, userId), listingId),
    };
    return [...live, createEndEvent(unsoldAt), relistEvent, createPublishEvent(unsoldAt + 2 * hourMs)];
  }
  return text.quantity === 4
    ? [...live, createSaleEvent(pickTimeAfter(publishedAt)), createSaleEvent(pickTimeAfter(publishedAt))]
    : live;
};

const unreadMs = 2 * dayMs;
const notificationLifeMs = 14 * dayMs;

const markOldNotificationsRead = ({ db, clock }: World, userId: string): void => {
  const now = clock.now();
  runStatement(db, 'DELETE FROM notifications WHERE userId = ? AND createdAt < ?', userId, now - notificationLifeMs);
  runStatement(
    db,
    'UPDATE notifications SET readAt = createdAt + 60000, viewedAt = createdAt + 60000 WHERE userId = ? AND createdAt < ?',
    ...[userId, now - unreadMs],
  );
};

/**
 * Fills the shop of a person with sixty listings and ninety days of sales. Returns false and changes nothing if the
 * person has listings.
 */
export const fillPracticeShop = (world: World, userId: string): boolean =>
  runInTransaction(world.db, () => {
    const now = world.clock.now();
    const existingCount = selectFirstRow(
      world.db,
      countRow,
      'SELECT COUNT(*) AS n FROM listings WHERE userId = ?',
      userId,
    );
    if (existingCount?.n !== 0) return false;
    // The constant seed gives every person the same shop.
    const next = createSeededRandom('practice shop');
    const stock = planShopStock(now, next);
    const opened = createWorldAt(world, now - 91 * dayMs);
    for (const site of new Set(sites)) createMissingPolicies(opened, requirePersonById(opened, userId), site, 'flat');
    connectOtherChannel(opened, userId, 'corner');
    insertListingTemplate(opened, requirePersonById(opened, userId), {
      name: 'Small parcels',
      packageWeightGrams: 500,
      descriptionFooter: 'From a smoke-free home.',
    });
    insertListingTemplate(opened, requirePersonById(opened, userId), { name: 'For Germany', marketplaceId: 'MKT_DE' });
    for (const stockedListing of stock) {
      const pastWorld = createWorldAt(world, stockedListing.madeAt);
      insertDraftListing(pastWorld, userId, stockedListing);
      if (stockedListing.fate !== 'draft')
        addListingPicture(
          pastWorld,
          stockedListing.listingId,
          getPictureEncoder(stockedListing.kind)(stockedListing.hues),
        );
    }
    const first = stock[0];
    if (first)
      for (const site of new Set(sites))
        confirmFeeNotice(opened, requirePersonById(opened, userId), first.listingId, site);
    const past = stock.flatMap((one) => buildListingHistory(userId, one, now, next)).toSorted((a, b) => a.at - b.at);
    for (const { at, applyTo } of past) applyTo(createWorldAt(world, Math.min(at, now)));
    markOldNotificationsRead(world, userId);
    return true;
  });
