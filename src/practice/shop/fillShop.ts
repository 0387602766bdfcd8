import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sellItem } from '../controls/marketplace.ts';
import { dayMs, hourMs } from '../clock.ts';
import { atomically, count, one, run } from '../database.ts';
import { newId, randomText } from '../ids.ts';
import { seededRandom } from '../market/comps.ts';
import { categoryName, categoryOf } from '../market/taxonomy.ts';
import { siteOf } from '../market/sites.ts';
import { bootstrapPolicies, confirmFeeNotice } from '../world/marketAccount.ts';
import { connectChannel } from '../world/listings/channels.ts';
import { relistListing, runOut } from '../world/listings/changes.ts';
import { failureSentence } from '../world/listings/generation.ts';
import { findListing, updateListing, type ListingUpdate } from '../world/listings/listings.ts';
import { publishListing } from '../world/listings/publish.ts';
import { notify } from '../world/messages.ts';
import { requirePerson } from '../world/people.ts';
import { saveTemplate } from '../world/templates.ts';
import type { World } from '../world/world.ts';
import { drawPicture, type Hues } from './drawPicture.ts';
import { goods, type Goods } from './goods.ts';

/** Returns the world with its clock set to a past time, so that effects are recorded with that time. */
const worldAt = (world: World, at: number): World => ({ ...world, clock: { ...world.clock, now: () => at } });

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

/** The final state of a listing in the shop. */
type Fate = 'sold' | 'live' | 'unsold' | 'review' | 'blocked' | 'draft' | 'failed' | 'relisted';

/** The states of each dozen listings, oldest dozen first. */
const fates: readonly (readonly Fate[])[] = [
  ['sold', 'sold', 'sold', 'sold', 'unsold', 'sold', 'sold', 'sold', 'live', 'sold', 'sold', 'unsold'],
  ['sold', 'sold', 'live', 'sold', 'sold', 'sold', 'unsold', 'sold', 'sold', 'live', 'sold', 'sold'],
  ['live', 'sold', 'live', 'sold', 'relisted', 'live', 'sold', 'live', 'sold', 'live', 'sold', 'live'],
  ['live', 'live', 'sold', 'live', 'live', 'sold', 'live', 'live', 'live', 'sold', 'live', 'live'],
  ['live', 'review', 'live', 'review', 'blocked', 'failed', 'live', 'review', 'draft', 'review', 'live', 'review'],
];

type Happening = { at: number; happen: (then: World) => void };

type Stock = { listingId: string; kind: Goods; title: string; fate: Fate; site: string; madeAt: number; hues: Hues };

/** Plans the stock: sixty listings, one every 36 hours over ninety days. */
const stockOf = (now: number, next: () => number): Stock[] =>
  fates.flatMap((dozen, row) =>
    dozen.map((fate, column) => {
      const kind = goods[(column + row) % goods.length] ?? goods[0];
      if (kind === undefined) throw new Error('The shop sells nothing.');
      const number = row * 12 + column;
      return {
        ...{ kind, fate, listingId: newId('lst') },
        title: kind.titles[row] ?? kind.titles[0] ?? '',
        site: sites[number % sites.length] ?? 'MKT_US',
        madeAt: Math.round(now - (90 - number * 1.5) * dayMs + next() * 6 * hourMs),
        hues: { thing: Math.floor(next() * 360), ground: Math.floor(next() * 360) },
      };
    }),
  );

const insertListing = (world: World, userId: string, { listingId, site }: Stock): void => {
  const now = world.clock.now();
  run(
    world.db,
    `INSERT INTO listings (listingId, userId, status, marketplaceId, listingLanguage, quantity, createdAt, updatedAt)
     VALUES (?, ?, 'draft', ?, 'en', 1, ?, ?)`,
    ...[listingId, userId, site, now, now],
  );
};

const pictures = new Map<Goods, ReturnType<typeof drawPicture>>();

/** Returns the memoised picture of a kind, because drawing takes most of the time of filling a shop. */
const pictureOf = (kind: Goods): ReturnType<typeof drawPicture> => {
  const picture = pictures.get(kind) ?? drawPicture(kind.picture);
  pictures.set(kind, picture);
  return picture;
};

const addPicture = (world: World, listingId: string, bytes: Buffer): void => {
  const imageId = `img_${randomText(20)}`;
  const file = `${imageId}.png`;
  writeFileSync(join(world.photosDir, file), bytes);
  run(
    world.db,
    'INSERT INTO photos (listingId, position, imageId, file, contentType, bytes, uploadedAt) VALUES (?, 0, ?, ?, ?, ?, ?)',
    ...[listingId, imageId, file, 'image/png', bytes.length, world.clock.now()],
  );
};

/** Returns the text of a listing, as the writer would have written it. */
const textOf = ({ kind, title, site, fate }: Stock, next: () => number): ListingUpdate => {
  const category = categoryOf(kind.categoryId);
  if (category === undefined) throw new Error(`There is no category ${kind.categoryId}.`);
  const near = 0.8 + next() * 0.5;
  const price = Math.round(kind.priceCents * near * (siteOf(site)?.perDollar ?? 1));
  const condition = conditions[Math.floor(next() * conditions.length)] ?? 'USED_GOOD';
  return {
    ...{ status: 'pending_review', written: true, title, condition, price, suggestedPrice: price },
    description: `<p>${title}, looked after and photographed as it is.</p><p>Sent within two working days, well packed.</p>`,
    categoryId: category.id,
    categoryName: categoryName(category, 'en'),
    // A blocked listing lacks its item specifics and its price.
    itemSpecifics: fate === 'blocked' ? {} : { ...kind.specifics },
    ...(fate === 'blocked' ? { price: null } : {}),
    packageWeightGrams: kind.weightGrams,
    sku: `SHOP-${kind.categoryId}-${Math.floor(next() * 900) + 100}`,
    quantity: fate === 'live' && next() < 0.35 ? 4 : 1,
  };
};

const lifeOf = (userId: string, stock: Stock, now: number, next: () => number): Happening[] => {
  const { listingId, fate, madeAt } = stock;
  const publishedAt = Math.round(madeAt + (1 + next() * 8) * hourMs);
  const between = (from: number): number => Math.round(from + (0.15 + 0.7 * next()) * (now - from));
  const buyer = (): string => buyers[Math.floor(next() * buyers.length)] ?? 'a_buyer';
  const sale = (at: number): Happening => ({
    at,
    happen: (then) => void sellItem(then, { listingId, quantity: 1, buyer: buyer(), channelId: 'market' }),
  });
  const publish = (at: number): Happening => ({
    at,
    happen: (then) => void publishListing(then, requirePerson(then, userId), listingId, {}),
  });
  const end = (at: number): Happening => ({
    at,
    happen: (then) => {
      const listing = findListing(then, listingId);
      if (listing) runOut(then, listing, at);
    },
  });
  const text = textOf(stock, next);
  const written: Happening = { at: madeAt + 60_000, happen: (then) => updateListing(then, listingId, text) };
  const live = [written, publish(publishedAt)];
  if (fate === 'draft') return [];
  if (fate === 'review' || fate === 'blocked') return [written];
  if (fate === 'failed') {
    const failed = {
      status: 'failed',
      processingErrorCode: 'IMAGES_UNREADABLE',
      processingError: failureSentence('IMAGES_UNREADABLE'),
    } as const;
    const tell = {
      kind: 'listing_failed',
      text: failureSentence('IMAGES_UNREADABLE'),
      listingId,
    } as const;
    return [
      { at: madeAt + 60_000, happen: (then) => [updateListing(then, listingId, failed), notify(then, userId, tell)] },
    ];
  }
  if (fate === 'sold') return [...live, sale(between(publishedAt))];
  if (fate === 'unsold') return [...live, end(between(publishedAt))];
  if (fate === 'relisted') {
    const back = between(publishedAt);
    const again: Happening = {
      at: back + hourMs,
      happen: (then) => void relistListing(then, requirePerson(then, userId), listingId),
    };
    return [...live, end(back), again, publish(back + 2 * hourMs)];
  }
  return text.quantity === 4 ? [...live, sale(between(publishedAt)), sale(between(publishedAt))] : live;
};

/** The age up to which notifications stay unread. */
const unreadMs = 2 * dayMs;
const keptMs = 14 * dayMs;

const readOldNotices = ({ db, clock }: World, userId: string): void => {
  const now = clock.now();
  run(db, 'DELETE FROM notifications WHERE userId = ? AND createdAt < ?', userId, now - keptMs);
  run(
    db,
    'UPDATE notifications SET readAt = createdAt + 60000, viewedAt = createdAt + 60000 WHERE userId = ? AND createdAt < ?',
    ...[userId, now - unreadMs],
  );
};

/**
 * Fills the shop of a person without listings: sixty listings in every state, ninety days of sales on three sites,
 * notifications, policies, templates and a second channel. Every event follows the rules of the service and has its own
 * time. Returns false and changes nothing if the person has listings.
 */
export const fillShop = (world: World, userId: string): boolean =>
  atomically(world.db, () => {
    const now = world.clock.now();
    const there = one(world.db, count, 'SELECT COUNT(*) AS n FROM listings WHERE userId = ?', userId);
    if (there?.n !== 0) return false;
    // A fixed seed gives every person the same shop.
    const next = seededRandom('practice shop');
    const stock = stockOf(now, next);
    const opened = worldAt(world, now - 91 * dayMs);
    for (const site of new Set(sites)) bootstrapPolicies(opened, requirePerson(opened, userId), site, 'flat');
    connectChannel(opened, userId, 'corner');
    saveTemplate(opened, requirePerson(opened, userId), {
      name: 'Small parcels',
      packageWeightGrams: 500,
      descriptionFooter: 'From a smoke-free home.',
    });
    saveTemplate(opened, requirePerson(opened, userId), { name: 'For Germany', marketplaceId: 'MKT_DE' });
    for (const one of stock) {
      const then = worldAt(world, one.madeAt);
      insertListing(then, userId, one);
      if (one.fate !== 'draft') addPicture(then, one.listingId, pictureOf(one.kind)(one.hues));
    }
    const first = stock[0];
    if (first)
      for (const site of new Set(sites)) confirmFeeNotice(opened, requirePerson(opened, userId), first.listingId, site);
    const past = stock.flatMap((one) => lifeOf(userId, one, now, next)).toSorted((a, b) => a.at - b.at);
    for (const { at, happen } of past) happen(worldAt(world, Math.min(at, now)));
    readOldNotices(world, userId);
    return true;
  });
