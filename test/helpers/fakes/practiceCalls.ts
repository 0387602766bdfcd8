import Database from 'better-sqlite3';
import { parseRouteInput, type RawInput, type RouteName } from '../../../src/contract/index.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import type { Outcome } from '../../../src/core/base/request.ts';
import { accountAnswers } from '../../../src/practice/answers/account.ts';
import { agentAnswers } from '../../../src/practice/answers/agent.ts';
import type { AnswerResult } from '../../../src/practice/answers/answer.ts';
import { billingAnswers } from '../../../src/practice/answers/billing.ts';
import { channelAnswers } from '../../../src/practice/answers/channels.ts';
import { insightAnswers } from '../../../src/practice/answers/insights.ts';
import { listingAnswers } from '../../../src/practice/answers/listings.ts';
import { marketAnswers } from '../../../src/practice/answers/market.ts';
import { createServiceClock } from '../../../src/practice/clock.ts';
import { personInput, savePersonAndFillShop } from '../../../src/practice/controls/people.ts';
import { openMigratedDatabase } from '../../../src/practice/database.ts';
import { Refusal } from '../../../src/practice/refusal.ts';
import { createReferredAccount } from '../../../src/practice/world/accounts.ts';
import { authenticateApiKey, createAssistantKey } from '../../../src/practice/world/keys.ts';
import { findListingById, listingRow } from '../../../src/practice/world/listings/listings.ts';
import { connectOtherChannel } from '../../../src/practice/world/listings/channels.ts';
import { readApiListing } from '../../../src/practice/world/listings/apiListing.ts';
import { connectMarketAccount } from '../../../src/practice/world/marketAccount.ts';
import { requirePersonById } from '../../../src/practice/world/people.ts';
import type { World } from '../../../src/practice/world/world.ts';

/** The person of a page at the practice service. */
export type PracticePerson = {
  plan: string;
  trialEligible: boolean;
  /** The marketplace is connected and everything for selling is set up. */
  isSetUp: boolean;
  hasSales: boolean;
  /** Live listings are also live on the second channel, or sold there. */
  onCorner: boolean | 'sold';
};

/** A listing of a page. */
export type PageListing = Record<string, unknown> & { listingId: string };

const emptyDatabase = openMigratedDatabase(':memory:').serialize();
const userId = 'usr_1';

/** The ids of these records are fixed, so that tests can name them. */
const records = `
  update people set userId = '${userId}', referralCode = 'robin', autoDelistDefault = 1,
    pushPreferences = '{"sales":true,"publishResults":true,"weeklyDigest":false}';
  update keys set userId = '${userId}', label = 'Listing Companion on desk', madeBy = 'code';
  insert into invoices (invoiceId, userId, text, amountCents, at) values
    ('inv_1', '${userId}', '5 listing credits', 499, unixepoch('2026-10-12') * 1000),
    ('inv_2', '${userId}', 'Starter, one month', 4999, unixepoch('2026-11-02') * 1000);`;
const sellingRecords = `
  update people set accountId = 'mac_1', accountName = 'robins-attic', confirmedSites = '["MKT_US"]',
    acknowledgedAt = (unixepoch() - 3 * 86400) * 1000, sellerDefaults = '{"location":{"country":"US","postalCode":"94107"},
      "shipping":{"handlingDays":2,"pickup":true,"flatMinor":599,"postage":"flat"},
      "returns":{"accepted":true,"days":30},"storeName":"The fox shop"}'
    where userId = '${userId}';
  insert into policies (policyId, userId, marketplaceId, kind, name, facts, createdAt) values
    ('pol_f1', '${userId}', 'MKT_US', 'fulfillment', 'Parcel, 2 days', '{"postage":"calculated"}', 1),
    ('pol_f2', '${userId}', 'MKT_US', 'fulfillment', 'Letter', '{}', 1),
    ('pol_p1', '${userId}', 'MKT_US', 'payment', 'At once', '{}', 1),
    ('pol_r1', '${userId}', 'MKT_US', 'return', '30 days', '{}', 1);
  insert into templates (templateId, userId, facts, createdAt, updatedAt) values
    ('tpl_1', '${userId}', '{"name":"Small ceramics","marketplaceId":"MKT_US","format":"FIXED_PRICE","giftWrap":true,
      "fulfillmentPolicyId":"pol_f2","descriptionFooter":"From a smoke-free home.","handlingTimeDays":3}', 1, 1),
    ('tpl_2', '${userId}', '{"name":"Shoes, boxed","packageWeightGrams":900}', 2, 2);
  insert into connections (connectionId, userId, channelId, name, createdAt) values
    ('con_1', '${userId}', 'corner', 'Corner shop, Robin', (unixepoch() - 5 * 86400) * 1000);`;

/** Sold listings, and a year of sales: on every fifth day a pair of shoes, on each other day up to three cameras. */
const sales = `
  with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < 120)
  insert into listings (listingId, userId, status, marketplaceId, listingLanguage, quantity, createdAt, updatedAt)
    select 'lst_past' || n, '${userId}', iif(n < 112, 'sold', 'ended'), 'MKT_US', 'en-US', 1, 1, 1 from numbers;
  with recursive days (day) as (
    select unixepoch() / 86400 union all select day - 1 from days where day > unixepoch() / 86400 - 365)
  insert into sales (userId, listingId, marketListingId, title, quantity, unitCents, currency, buyer, at)
    select '${userId}', iif(day % 5 = 0, 'lst_shoes', 'lst_1'), '1', iif(day % 5 = 0, 'Running shoes', 'Film camera, blue'),
      iif(day % 5 = 0, 1, 1 + day % 3), iif(day % 5 = 0, 5900, 3499), iif(day % 5 = 0, 'EUR', 'USD'), 'ada',
      (day * 86400 + 34200) * 1000 from days;`;

const answers: Partial<Record<RouteName, (call: never) => AnswerResult<RouteName> | Promise<AnswerResult<RouteName>>>> =
  {
    ...{ ...accountAnswers, ...agentAnswers, ...billingAnswers, ...channelAnswers, ...insightAnswers },
    ...{ ...listingAnswers, ...marketAnswers },
  };

const toColumnValue = (value: unknown): unknown => {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' ? JSON.stringify(value) : value;
};

const toTimeColumn = (value: unknown): number | null => (typeof value === 'string' ? Date.parse(value) : null);

/** Replaces a listing with the page's listing, which has one photo and is live on the channels of its state. */
const putListing = ({ db, clock }: World, listing: PageListing, onCorner: PracticePerson['onCorner']): void => {
  const { listingId, status, title, quantity = 1 } = listing;
  const now = clock.now();
  const isOnMarket = ['published', 'ended', 'sold'].includes(String(status));
  const always = { userId, createdAt: now, updatedAt: now, marketListingId: isOnMarket ? listingId : null };
  const usual = { marketplaceId: 'MKT_US', listingLanguage: 'en-US', quantity, written: true };
  const times = { publishedAt: toTimeColumn(listing['publishedAt']), endedAt: toTimeColumn(listing['endedAt']) };
  const columns = Object.entries<unknown>({ ...usual, ...listing, ...times, ...always }).filter(
    ([name, value]) => name in listingRow.shape && value !== null && value !== undefined,
  );
  const names = columns.map(([name]) => name).join(', ');
  db.prepare(`insert or replace into listings (${names}) values (${columns.map(() => '?').join(', ')})`).run(
    ...columns.map(([, value]) => toColumnValue(value)),
  );
  db.prepare("insert or ignore into photos values (:id, 0, :id, :id, 'image/jpeg', 1, 1)").run({ id: listingId });
  const insertChannel = db.prepare(
    'insert or replace into channelListings (listingId, channelId, status, externalId, publishedAt, shown) values (?, ?, ?, ?, 1, ?)',
  );
  if (isOnMarket) insertChannel.run(listingId, 'market', status, listingId, '{}');
  const shown = JSON.stringify({ title, price: 6_400, quantity: 1 });
  if (isOnMarket && onCorner !== false)
    insertChannel.run(listingId, 'corner', onCorner === 'sold' ? 'sold' : 'published', `${listingId} there`, shown);
};

/** Opens a practice service in memory for one person, and returns the function that answers requests. */
export const openPractice = async ({ isSetUp, hasSales, onCorner, ...person }: PracticePerson) => {
  const db = new Database(emptyDatabase);
  // No listing is written here, so no writer and no photo files are needed.
  const given = { db, clock: createServiceClock(db, Date.now), url: () => 'https://service.example' };
  const world = given as unknown as World;
  const input = personInput.parse({ email: 'robin@example.org', name: 'Robin', ...person });
  const made = await savePersonAndFillShop(world, input);
  db.pragma('foreign_keys = off');
  db.exec(records);
  if (hasSales) db.exec(sales);
  createAssistantKey(world, userId, 'Chat helper', 'settings');
  for (const name of ['ada', 'kim']) createReferredAccount(world, userId, `${name}@example.org`);
  if (isSetUp) {
    connectMarketAccount(world, userId);
    db.exec(sellingRecords);
  }
  const answer = async (route: RouteName, raw: RawInput): Promise<unknown> => {
    const parsed = parseRouteInput(route, raw);
    if (!parsed.ok) throw new Problem('INVALID_INPUT', `${parsed.problem.field}: ${parsed.problem.message}`);
    const caller = { person: requirePersonById(world, userId), key: authenticateApiKey(world, made.agentKey) };
    const call = { world, input: parsed.input, accept: '', caller, ...caller };
    return (await answers[route]?.(call as never))?.body ?? {};
  };
  const readFields = (listingId: string): Record<string, unknown> =>
    findListingById(world, listingId) === null ? {} : readApiListing(world, listingId);
  /** Also returns the fields that the request has changed in the page's listing. */
  return async (
    route: RouteName,
    raw: RawInput,
    listing: PageListing | null,
  ): Promise<Outcome & { changes: Record<string, unknown> }> => {
    if (listing) putListing(world, listing, onCorner);
    const before = listing ? readFields(listing.listingId) : {};
    const body = await answer(route, raw).catch((error: unknown) => {
      throw error instanceof Refusal ? new Problem(error.facts.code ?? 'SERVICE_REFUSED', error.message) : error;
    });
    // The person follows the link while the page is open.
    if (route === 'readMarketAuthUrl') connectMarketAccount(world, userId);
    if (route === 'connectChannel') connectOtherChannel(world, userId, 'corner');
    const after = Object.entries(listing ? readFields(listing.listingId) : {});
    const changes = Object.fromEntries(
      after.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
    );
    return { state: 'done', status: 200, headers: {}, answer: body, source: 'service', ageMs: 0, changes };
  };
};
