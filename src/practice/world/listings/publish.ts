import { policyFields, policyKinds, type PolicyKind, type PublishRefusal } from '../../../contract/index.ts';
import { siteOf } from '../../market/sites.ts';
import { acceptsCondition, categoryOf, specificName, type Category } from '../../market/taxonomy.ts';
import { type ListingRow, requireOwnListing, requireState, updateListing } from './listings.ts';
import { calculatedMaxGrams, type Policy, bootstrapPolicies, policiesOf } from '../marketAccount.ts';
import { randomInt } from 'node:crypto';
import { atomically, run } from '../../database.ts';
import { quoteFor, type Quote } from '../../market/fees.ts';
import { Refusal, refuse } from '../../refusal.ts';
import { recordEffect } from '../journal.ts';
import { notify } from '../messages.ts';
import { requireMarket } from '../disruptions.ts';
import { requirePerson, type Person } from '../people.ts';
import { photosOf } from './photos.ts';
import { requireOwnTemplate } from '../templates.ts';
import type { World } from '../world.ts';

type Blocker = { code: PublishRefusal; field: string; message: string };

const refused = (field: string, message: string): Blocker => ({ code: 'MARKET_REFUSED', field, message });

const textBlockers = ({ title, marketplaceId, price, bestOffer }: ListingRow, photoCount: number): Blocker[] => {
  const longest = siteOf(marketplaceId)?.titleLength ?? 80;
  const accept = bestOffer?.enabled === true ? bestOffer.autoAcceptCents : undefined;
  return [
    ...(photoCount === 0 ? [refused('imageUrls', 'At least one photo is needed.')] : []),
    ...(title === null || title.trim() === '' ? [refused('title', 'A title is needed.')] : []),
    ...(title !== null && title.length > longest
      ? [refused('title', `The title has ${title.length} characters; ${longest} fit.`)]
      : []),
    ...(price === null || price <= 0 ? [refused('price', 'A price is needed.')] : []),
    ...(accept !== undefined && price !== null && accept > price
      ? [refused('bestOffer', 'Offers would be accepted only above the asking price.')]
      : []),
  ];
};

const specificBlockers = (listing: ListingRow, category: Category): Blocker[] =>
  category.required
    .map((key) => specificName(key, listing.listingLanguage))
    .filter((name) => !listing.itemSpecifics[name]?.trim())
    .map((name) => refused(`itemSpecifics.${name}`, `"${name}" is required in the category ${listing.categoryName}.`));

const conditionBlockers = (listing: ListingRow, category: Category): Blocker[] =>
  listing.condition !== null && acceptsCondition(category, listing.condition)
    ? []
    : [
        {
          code: 'CONDITION_NOT_ALLOWED',
          field: 'condition',
          message: `The category ${listing.categoryName} does not accept the condition ${listing.condition ?? '(none)'}.`,
        },
      ];

/** Returns the blockers that calculated postage raises about the package weight. */
const weightBlockers = (listing: ListingRow, postage: Policy | null): Blocker[] => {
  if (postage?.facts.postage !== 'calculated') return [];
  const heaviest = postage.facts.maxWeightGrams ?? calculatedMaxGrams;
  const weight = listing.packageWeightGrams;
  if (weight === null)
    return [
      {
        code: 'MISSING_PACKAGE_WEIGHT',
        field: 'packageWeightGrams',
        message: `"${postage.name}" calculates postage from the packed weight, which is not known yet.`,
      },
    ];
  if (weight <= heaviest) return [];
  return [
    {
      code: 'PACKAGE_WEIGHT_TOO_HEAVY',
      field: 'packageWeightGrams',
      message: `The packed item weighs ${weight} g; "${postage.name}" takes up to ${heaviest} g.`,
    },
  ];
};

/** Returns all problems of a listing that the marketplace would refuse. */
export const blockersOf = (listing: ListingRow, photoCount: number, postage: Policy | null): Blocker[] => {
  const category = listing.categoryId === null ? undefined : categoryOf(listing.categoryId);
  return [
    ...textBlockers(listing, photoCount),
    ...(category ? conditionBlockers(listing, category) : [refused('categoryId', 'A category is needed.')]),
    ...(category ? specificBlockers(listing, category) : []),
    ...weightBlockers(listing, postage),
  ];
};

type PublishRequest = {
  marketAccountId?: string | undefined;
  fulfillmentPolicyId?: string | undefined;
  paymentPolicyId?: string | undefined;
  returnPolicyId?: string | undefined;
  fix?: boolean | undefined;
  autoDelistOnSale?: boolean | undefined;
};

const refusePublish = (code: PublishRefusal, sentence: string, field?: string): never =>
  refuse(400, sentence, code, field === undefined ? {} : { body: { field } });

type Named = Partial<Record<(typeof policyFields)[PolicyKind], string | undefined>>;

/** Returns a named policy. Refuses a policy of another kind or site. */
const namedPolicy = (
  all: Policy[],
  { kind, policyId, site }: { kind: PolicyKind; policyId: string; site: string },
  mismatch: PublishRefusal,
): Policy => {
  const found = all.find((policy) => policy.policyId === policyId && policy.kind === kind);
  if (!found) return refusePublish('MISSING_POLICIES', `The marketplace account has no ${kind} policy ${policyId}.`);
  if (found.marketplaceId !== site)
    return refusePublish(
      mismatch,
      `"${found.name}" is a policy of ${found.marketplaceId}; this listing is for ${site}.`,
    );
  return found;
};

type PolicyChoice = { homeSite: string; site: string; all: Policy[] };
/** The sources that may name a policy, in order of precedence. */
type Namings = { request: Named; template: Named; defaults: Named };

/** Chooses the policy of one kind. On a foreign site with several policies, the caller must name one. */
const policyFor = ({ homeSite, site, all }: PolicyChoice, kind: PolicyKind, named: Namings): Policy => {
  const field = policyFields[kind];
  const { [field]: asked } = named.request;
  const other = named.template[field] ?? named.defaults[field];
  if (asked !== undefined) return namedPolicy(all, { kind, policyId: asked, site }, 'POLICY_MARKETPLACE_MISMATCH');
  if (other !== undefined)
    return namedPolicy(all, { kind, policyId: other, site }, 'TEMPLATE_POLICY_MARKETPLACE_MISMATCH');
  const own = all.filter((policy) => policy.kind === kind && policy.marketplaceId === site);
  const [first] = own;
  if (!first)
    return site === homeSite
      ? refusePublish('MISSING_POLICIES', `The marketplace account has no ${kind} policy for ${site}.`)
      : refusePublish('TARGET_POLICIES_REQUIRED', `The marketplace account has no ${kind} policy for ${site} yet.`);
  if (own.length > 1 && site !== homeSite)
    return refusePublish(
      'TARGET_POLICIES_CHOOSE',
      `There are ${own.length} ${kind} policies for ${site}; name the one to use.`,
    );
  return first;
};

/** Chooses one policy of each kind. Refuses if a policy is missing or does not match. */
export const policiesOfPublish = (choice: PolicyChoice, named: Namings): Record<PolicyKind, Policy> => ({
  fulfillment: policyFor(choice, 'fulfillment', named),
  payment: policyFor(choice, 'payment', named),
  return: policyFor(choice, 'return', named),
});

/** Returns the marketplace account of a publish, from the request, the listing or the connection, in this order. */
export const accountOfPublish = (
  { accountId }: Pick<Person, 'accountId'>,
  { marketAccountId }: Pick<ListingRow, 'marketAccountId'>,
  request: Pick<PublishRequest, 'marketAccountId'>,
): string | null => request.marketAccountId ?? marketAccountId ?? accountId;

/** Refuses if the account cannot publish. The checks follow the order of the marketplace. */
const requireAccount = (person: Person, listing: ListingRow, request: PublishRequest): void => {
  const site = listing.marketplaceId;
  if (!siteOf(site)) refusePublish('UNSUPPORTED_LISTING_MARKETPLACE', `${site} is not one of the supported sites.`);
  if (person.connectedAt === null)
    refusePublish(
      'MARKET_TOKEN_EXPIRED',
      'The marketplace is not connected. Connect it with a new link, then publish again.',
    );
  if (!person.sellerSetup)
    refusePublish(
      'SELLER_SETUP_REQUIRED',
      'Marketplace error 640: finish setting up as a seller on the marketplace first.',
    );
  if (accountOfPublish(person, listing, request) !== person.accountId)
    refuse(400, 'There is no connected marketplace account with this id.');
};

const requireFeeNotice = (person: Person, { marketplaceId: site }: ListingRow): void => {
  if (!person.confirmedSites.includes(site))
    refuse(
      409,
      `The fee notice of ${site} is not confirmed yet. Explain that the marketplace charges its own fees, then confirm it.`,
      'FEE_NOTICE_REQUIRED',
      { body: { marketplaceId: site } },
    );
};

const templateOf = (world: World, person: Person, { templateId }: ListingRow): Named =>
  templateId === null ? {} : requireOwnTemplate(world, person, templateId).facts;

const defaultsOf = ({ sellerDefaults }: Person): Named =>
  Object.fromEntries(
    Object.values(policyFields).flatMap((field) => {
      const id = sellerDefaults[field];
      return typeof id === 'string' ? [[field, id]] : [];
    }),
  );

const requireShipping = (world: World, person: Person, listing: ListingRow, request: PublishRequest): Policy => {
  const site = listing.marketplaceId;
  const all = policiesOf(world, person.userId);
  const named = { request, template: templateOf(world, person, listing), defaults: defaultsOf(person) };
  const shipping = [named.request, named.template, named.defaults].find((one) => one.fulfillmentPolicyId !== undefined);
  // A named shipping policy overrides the inline shipping of the defaults.
  if (person.sellerDefaults.shipping?.inline === true && site !== person.homeSite && !shipping)
    refusePublish('INLINE_SHIPPING_OTHER_SITE', `Shipping without a policy works on ${person.homeSite} only.`);
  const { fulfillment } = policiesOfPublish({ homeSite: person.homeSite, site, all }, named);
  if (!listing.location && !person.sellerDefaults.location)
    refusePublish('MISSING_LOCATION', 'The marketplace needs to know where the item is: country and postal code.');
  return fulfillment;
};

const quoteListing = ({ feeOverrides: { extraMinor } }: World, listing: ListingRow): Quote => {
  const quote = quoteFor({
    site: listing.marketplaceId,
    priceCents: listing.price ?? 0,
    format: listing.format,
    categoryId: listing.categoryId ?? '',
  });
  if (extraMinor === 0 || quote.state === 'unavailable') return quote;
  const lines = [...quote.lines, { name: 'Surcharge', amountMinor: extraMinor }];
  return { ...quote, state: 'fee', totalMinor: quote.totalMinor + extraMinor, lines };
};

/** Runs a function and returns the message of its Refusal, or null. */
const refusalOf = (attempt: () => unknown): string | null => {
  try {
    attempt();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
};

/** Quotes the fee of a publish. If these choices would be refused, the quote is `unavailable` and has the reason. */
export const quotePublish = (world: World, person: Person, listing: ListingRow, request: PublishRequest): Quote => {
  const reason = refusalOf(() => {
    requireAccount(person, listing, request);
    requireMarket(world);
    const all = policiesOf(world, person.userId);
    const named = { ...templateOf(world, person, listing), ...request };
    for (const kind of policyKinds) {
      const policyId = named[policyFields[kind]];
      const site = listing.marketplaceId;
      if (policyId !== undefined) namedPolicy(all, { kind, policyId, site }, 'POLICY_MARKETPLACE_MISMATCH');
    }
  });
  const quote = quoteListing(world, listing);
  return reason === null ? quote : { ...quote, state: 'unavailable', totalMinor: 0, lines: [], reason };
};

const newMarketListingId = (): string => String(randomInt(100_000_000_000, 200_000_000_000));

const chargeFees = (world: World, listing: ListingRow): void => {
  const quote = quoteListing(world, listing);
  if (quote.state !== 'fee') return;
  const { userId, listingId } = listing;
  const { totalMinor: amountMinor, currency, lines } = quote;
  recordEffect(world, 'charge', { userId, listingId, what: 'market_fees', amountMinor, currency, lines });
};

const goLive = (world: World, person: Person, listing: ListingRow, request: PublishRequest): string => {
  const marketListingId = newMarketListingId();
  const { userId, listingId, marketplaceId, price } = listing;
  updateListing(world, listingId, {
    status: 'published',
    marketListingId,
    publishedAt: world.clock.now(),
    endedAt: null,
    everLive: true,
    autoDelistOnSale: request.autoDelistOnSale ?? person.autoDelistDefault,
  });
  run(
    world.db,
    "INSERT OR REPLACE INTO channelListings (listingId, channelId, status, externalId, publishedAt) VALUES (?, 'market', 'published', ?, ?)",
    listingId,
    marketListingId,
    world.clock.now(),
  );
  recordEffect(world, 'publish', { userId, listingId, marketListingId, marketplaceId, price, channelId: 'market' });
  chargeFees(world, listing);
  notify(world, userId, { kind: 'published', text: `"${listing.title ?? ''}" is live.`, listingId });
  return marketListingId;
};

const fixable = new Set(['MISSING_POLICIES', 'TARGET_POLICIES_REQUIRED']);

/** Reads the listing and its person. Refuses if the listing's state or the account does not allow publishing. */
const requirePublishable = (world: World, userId: string, listingId: string, request: PublishRequest) => {
  const person = requirePerson(world, userId);
  const listing = requireOwnListing(world, person, listingId);
  requireState(listing, ['pending_review'], 'published');
  requireAccount(person, listing, request);
  requireFeeNotice(person, listing);
  requireMarket(world);
  return { person, listing };
};

/** Publishes a reviewed listing and charges the marketplace's fees. Call it inside `attemptFixablePublish`. */
export const publishNow = (world: World, { userId }: Person, listingId: string, request: PublishRequest): string => {
  const { person, listing } = requirePublishable(world, userId, listingId, request);
  const postage = requireShipping(world, person, listing, request);
  const [blocker] = blockersOf(listing, photosOf(world, listingId).length, postage);
  if (blocker) refusePublish(blocker.code, blocker.message, blocker.field);
  return goLive(world, person, listing, request);
};

const rememberRefusal = (world: World, { userId }: Person, code: string | null): void => {
  run(world.db, 'UPDATE people SET lastRefusal = ? WHERE userId = ?', code, userId);
};

/** Creates the policies that the last publish lacked. It commits on its own: a later refusal does not roll it back. */
const repairAccount = (world: World, { userId }: Person, listingId: string, request: PublishRequest): void =>
  atomically(world.db, () => {
    const { person, listing } = requirePublishable(world, userId, listingId, request);
    if (!fixable.has(person.lastRefusal ?? '')) return;
    bootstrapPolicies(world, person, listing.marketplaceId, 'flat');
    rememberRefusal(world, person, null);
  });

/** Runs a publish in one transaction. `fix` first repairs the account; a refusal that `fix` can repair is stored. */
export const attemptPublish = <T>(
  world: World,
  person: Person,
  { listingId, request }: { listingId: string; request: PublishRequest },
  work: () => T,
): T => {
  if (request.fix === true) repairAccount(world, person, listingId, request);
  try {
    return atomically(world.db, () => {
      const done = work();
      rememberRefusal(world, person, null);
      return done;
    });
  } catch (error) {
    // Other refusals keep the stored code, so that a later `fix` still works.
    const code = error instanceof Refusal ? error.facts.code : undefined;
    if (code !== undefined && fixable.has(code)) rememberRefusal(world, person, code);
    throw error;
  }
};

/** Publishes a reviewed listing and charges the marketplace's fees in one transaction. */
export const publishListing = (world: World, person: Person, listingId: string, request: PublishRequest): string =>
  attemptPublish(world, person, { listingId, request }, () => publishNow(world, person, listingId, request));
