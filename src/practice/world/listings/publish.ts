import { policyFields, policyKinds, type PolicyKind, type PublishRefusal } from '../../../contract/index.ts';
import { findSiteById } from '../../market/sites.ts';
import { isConditionAccepted, findCategoryById, getSpecificName, type Category } from '../../market/taxonomy.ts';
import { type ListingRow, requireOwnListing, requireListingState, updateListingColumns } from './listings.ts';
import { calculatedMaxGrams, type Policy, createMissingPolicies, listPersonPolicies } from '../marketAccount.ts';
import { randomInt } from 'node:crypto';
import { runInTransaction, runStatement } from '../../database.ts';
import { quoteMarketplaceFee, type Quote } from '../../market/fees.ts';
import { Refusal, refuseCall } from '../../refusal.ts';
import { recordJournalEffect } from '../journal.ts';
import { addPersonNotification } from '../messages.ts';
import { requireReachableMarket } from '../disruptions.ts';
import { requirePersonById, type Person } from '../people.ts';
import { listListingPhotos } from './photos.ts';
import { requireOwnTemplate } from '../templates.ts';
import type { World } from '../world.ts';

type PublishBlocker = { code: PublishRefusal; field: string; message: string };

const toMarketBlocker = (field: string, message: string): PublishBlocker => ({
  code: 'MARKET_REFUSED',
  field,
  message,
});

const listTextBlockers = (
  { title, marketplaceId, price, bestOffer }: ListingRow,
  photoCount: number,
): PublishBlocker[] => {
  const maxTitleLength = findSiteById(marketplaceId)?.titleLength ?? 80;
  const accept = bestOffer?.enabled === true ? bestOffer.autoAcceptCents : undefined;
  return [
    ...(photoCount === 0 ? [toMarketBlocker('imageUrls', 'At least one photo is needed.')] : []),
    ...(title === null || title.trim() === '' ? [toMarketBlocker('title', 'A title is needed.')] : []),
    ...(title !== null && title.length > maxTitleLength
      ? [toMarketBlocker('title', `The title has ${title.length} characters; ${maxTitleLength} fit.`)]
      : []),
    ...(price === null || price <= 0 ? [toMarketBlocker('price', 'A price is needed.')] : []),
    ...(accept !== undefined && price !== null && accept > price
      ? [toMarketBlocker('bestOffer', 'Offers would be accepted only above the asking price.')]
      : []),
  ];
};

const listSpecificBlockers = (listing: ListingRow, category: Category): PublishBlocker[] =>
  category.required
    .map((key) => getSpecificName(key, listing.listingLanguage))
    .filter((name) => !listing.itemSpecifics[name]?.trim())
    .map((name) =>
      toMarketBlocker(`itemSpecifics.${name}`, `"${name}" is required in the category ${listing.categoryName}.`),
    );

const listConditionBlockers = (listing: ListingRow, category: Category): PublishBlocker[] =>
  listing.condition !== null && isConditionAccepted(category, listing.condition)
    ? []
    : [
        {
          code: 'CONDITION_NOT_ALLOWED',
          field: 'condition',
          message: `The category ${listing.categoryName} does not accept the condition ${listing.condition ?? '(none)'}.`,
        },
      ];

const listWeightBlockers = (listing: ListingRow, postage: Policy | null): PublishBlocker[] => {
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

/** Returns every problem for which the marketplace would refuse the listing. */
export const listPublishBlockers = (
  listing: ListingRow,
  photoCount: number,
  postage: Policy | null,
): PublishBlocker[] => {
  const category = listing.categoryId === null ? undefined : findCategoryById(listing.categoryId);
  return [
    ...listTextBlockers(listing, photoCount),
    ...(category ? listConditionBlockers(listing, category) : [toMarketBlocker('categoryId', 'A category is needed.')]),
    ...(category ? listSpecificBlockers(listing, category) : []),
    ...listWeightBlockers(listing, postage),
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

const refuseMarketPublish = (code: PublishRefusal, sentence: string, field?: string): never =>
  refuseCall(400, sentence, code, field === undefined ? {} : { body: { field } });

type NamedPolicyIds = Partial<Record<(typeof policyFields)[PolicyKind], string | undefined>>;

const requireNamedPolicy = (
  policies: Policy[],
  { kind, policyId, site }: { kind: PolicyKind; policyId: string; site: string },
  mismatch: PublishRefusal,
): Policy => {
  const found = policies.find((policy) => policy.policyId === policyId && policy.kind === kind);
  if (!found)
    return refuseMarketPublish('MISSING_POLICIES', `The marketplace account has no ${kind} policy ${policyId}.`);
  if (found.marketplaceId !== site)
    return refuseMarketPublish(
      mismatch,
      `"${found.name}" is a policy of ${found.marketplaceId}; this listing is for ${site}.`,
    );
  return found;
};

type PolicyCandidates = { homeSite: string; site: string; policies: Policy[] };
type PolicySources = { request: NamedPolicyIds; template: NamedPolicyIds; defaults: NamedPolicyIds };

const choosePublishPolicy = (
  { homeSite, site, policies }: PolicyCandidates,
  kind: PolicyKind,
  sources: PolicySources,
): Policy => {
  const field = policyFields[kind];
  const { [field]: requestedId } = sources.request;
  const other = sources.template[field] ?? sources.defaults[field];
  if (requestedId !== undefined)
    return requireNamedPolicy(policies, { kind, policyId: requestedId, site }, 'POLICY_MARKETPLACE_MISMATCH');
  if (other !== undefined)
    return requireNamedPolicy(policies, { kind, policyId: other, site }, 'TEMPLATE_POLICY_MARKETPLACE_MISMATCH');
  const own = policies.filter((policy) => policy.kind === kind && policy.marketplaceId === site);
  const [first] = own;
  if (!first)
    return site === homeSite
      ? refuseMarketPublish('MISSING_POLICIES', `The marketplace account has no ${kind} policy for ${site}.`)
      : refuseMarketPublish(
          'TARGET_POLICIES_REQUIRED',
          `The marketplace account has no ${kind} policy for ${site} yet.`,
        );
  if (own.length > 1 && site !== homeSite)
    return refuseMarketPublish(
      'TARGET_POLICIES_CHOOSE',
      `There are ${own.length} ${kind} policies for ${site}; name the one to use.`,
    );
  return first;
};

/** Chooses one policy of each kind. Refuses if a policy is missing or does not match. */
export const choosePublishPolicies = (
  choice: PolicyCandidates,
  sources: PolicySources,
): Record<PolicyKind, Policy> => ({
  fulfillment: choosePublishPolicy(choice, 'fulfillment', sources),
  payment: choosePublishPolicy(choice, 'payment', sources),
  return: choosePublishPolicy(choice, 'return', sources),
});

/** Returns the marketplace account from the request, else from the listing, else from the connection. */
export const chooseMarketAccountId = (
  { accountId }: Pick<Person, 'accountId'>,
  { marketAccountId }: Pick<ListingRow, 'marketAccountId'>,
  request: Pick<PublishRequest, 'marketAccountId'>,
): string | null => request.marketAccountId ?? marketAccountId ?? accountId;

/** The checks run in the marketplace's order, so that the refusal has the code that the marketplace would return. */
const requireAccountCanPublish = (person: Person, listing: ListingRow, request: PublishRequest): void => {
  const site = listing.marketplaceId;
  if (!findSiteById(site))
    refuseMarketPublish('UNSUPPORTED_LISTING_MARKETPLACE', `${site} is not one of the supported sites.`);
  if (person.connectedAt === null)
    refuseMarketPublish(
      'MARKET_TOKEN_EXPIRED',
      'The marketplace is not connected. Connect it with a new link, then publish again.',
    );
  if (!person.sellerSetup)
    refuseMarketPublish(
      'SELLER_SETUP_REQUIRED',
      'Marketplace error 640: finish setting up as a seller on the marketplace first.',
    );
  if (chooseMarketAccountId(person, listing, request) !== person.accountId)
    refuseCall(400, 'There is no connected marketplace account with this id.');
};

const requireConfirmedFeeNotice = (person: Person, { marketplaceId: site }: ListingRow): void => {
  if (!person.confirmedSites.includes(site))
    refuseCall(
      409,
      `The fee notice of ${site} is not confirmed yet. Explain that the marketplace charges its own fees, then confirm it.`,
      'FEE_NOTICE_REQUIRED',
      { body: { marketplaceId: site } },
    );
};

const getTemplatePolicyIds = (world: World, person: Person, { templateId }: ListingRow): NamedPolicyIds =>
  templateId === null ? {} : requireOwnTemplate(world, person, templateId).facts;

const getDefaultPolicyIds = ({ sellerDefaults }: Person): NamedPolicyIds =>
  Object.fromEntries(
    Object.values(policyFields).flatMap((field) => {
      const id = sellerDefaults[field];
      return typeof id === 'string' ? [[field, id]] : [];
    }),
  );

const requireShippingPolicy = (world: World, person: Person, listing: ListingRow, request: PublishRequest): Policy => {
  const site = listing.marketplaceId;
  const policies = listPersonPolicies(world, person.userId);
  const sources = {
    request,
    template: getTemplatePolicyIds(world, person, listing),
    defaults: getDefaultPolicyIds(person),
  };
  const shipping = [sources.request, sources.template, sources.defaults].find(
    (source) => source.fulfillmentPolicyId !== undefined,
  );
  // A named shipping policy overrides the inline shipping of the defaults.
  if (person.sellerDefaults.shipping?.inline === true && site !== person.homeSite && !shipping)
    refuseMarketPublish('INLINE_SHIPPING_OTHER_SITE', `Shipping without a policy works on ${person.homeSite} only.`);
  const { fulfillment } = choosePublishPolicies({ homeSite: person.homeSite, site, policies }, sources);
  if (!listing.location && !person.sellerDefaults.location)
    refuseMarketPublish(
      'MISSING_LOCATION',
      'The marketplace needs to know where the item is: country and postal code.',
    );
  return fulfillment;
};

const quoteListingFee = ({ feeOverrides: { extraMinor } }: World, listing: ListingRow): Quote => {
  const quote = quoteMarketplaceFee({
    site: listing.marketplaceId,
    priceCents: listing.price ?? 0,
    format: listing.format,
    categoryId: listing.categoryId ?? '',
  });
  if (extraMinor === 0 || quote.state === 'unavailable') return quote;
  const lines = [...quote.lines, { name: 'Surcharge', amountMinor: extraMinor }];
  return { ...quote, state: 'fee', totalMinor: quote.totalMinor + extraMinor, lines };
};

const findRefusalMessage = (attempt: () => unknown): string | null => {
  try {
    attempt();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
};

/** Quotes the fee of a publish. If the publish would be refused, the quote is `unavailable` and contains the reason. */
export const quotePublishFee = (world: World, person: Person, listing: ListingRow, request: PublishRequest): Quote => {
  const reason = findRefusalMessage(() => {
    requireAccountCanPublish(person, listing, request);
    requireReachableMarket(world);
    const policies = listPersonPolicies(world, person.userId);
    const namedIds = { ...getTemplatePolicyIds(world, person, listing), ...request };
    for (const kind of policyKinds) {
      const policyId = namedIds[policyFields[kind]];
      const site = listing.marketplaceId;
      if (policyId !== undefined) requireNamedPolicy(policies, { kind, policyId, site }, 'POLICY_MARKETPLACE_MISMATCH');
    }
  });
  const quote = quoteListingFee(world, listing);
  return reason === null ? quote : { ...quote, state: 'unavailable', totalMinor: 0, lines: [], reason };
};

const createMarketListingId = (): string => String(randomInt(100_000_000_000, 200_000_000_000));

const chargeMarketFees = (world: World, listing: ListingRow): void => {
  const quote = quoteListingFee(world, listing);
  if (quote.state !== 'fee') return;
  const { userId, listingId } = listing;
  const { totalMinor: amountMinor, currency, lines } = quote;
  recordJournalEffect(world, 'charge', { userId, listingId, what: 'market_fees', amountMinor, currency, lines });
};

const makeListingLive = (world: World, person: Person, listing: ListingRow, request: PublishRequest): string => {
  const marketListingId = createMarketListingId();
  const { userId, listingId, marketplaceId, price } = listing;
  updateListingColumns(world, listingId, {
    status: 'published',
    marketListingId,
    publishedAt: world.clock.now(),
    endedAt: null,
    everLive: true,
    autoDelistOnSale: request.autoDelistOnSale ?? person.autoDelistDefault,
  });
  runStatement(
    world.db,
    "INSERT OR REPLACE INTO channelListings (listingId, channelId, status, externalId, publishedAt) VALUES (?, 'market', 'published', ?, ?)",
    listingId,
    marketListingId,
    world.clock.now(),
  );
  recordJournalEffect(world, 'publish', {
    userId,
    listingId,
    marketListingId,
    marketplaceId,
    price,
    channelId: 'market',
  });
  chargeMarketFees(world, listing);
  addPersonNotification(world, userId, { kind: 'published', text: `"${listing.title ?? ''}" is live.`, listingId });
  return marketListingId;
};

const fixableCodes = new Set(['MISSING_POLICIES', 'TARGET_POLICIES_REQUIRED']);

const requirePublishableListing = (world: World, userId: string, listingId: string, request: PublishRequest) => {
  const person = requirePersonById(world, userId);
  const listing = requireOwnListing(world, person, listingId);
  requireListingState(listing, ['pending_review'], 'published');
  requireAccountCanPublish(person, listing, request);
  requireConfirmedFeeNotice(person, listing);
  requireReachableMarket(world);
  return { person, listing };
};

/** Publishes a reviewed listing and charges the marketplace's fees. Call it inside `runFixablePublish`. */
export const publishReviewedListing = (
  world: World,
  { userId }: Person,
  listingId: string,
  request: PublishRequest,
): string => {
  const { person, listing } = requirePublishableListing(world, userId, listingId, request);
  const postage = requireShippingPolicy(world, person, listing, request);
  const [blocker] = listPublishBlockers(listing, listListingPhotos(world, listingId).length, postage);
  if (blocker) refuseMarketPublish(blocker.code, blocker.message, blocker.field);
  return makeListingLive(world, person, listing, request);
};

const storeLastRefusal = (world: World, { userId }: Person, code: string | null): void => {
  runStatement(world.db, 'UPDATE people SET lastRefusal = ? WHERE userId = ?', code, userId);
};

/** Commits its own transaction, so that a later refusal does not roll back the new policies. */
const createPoliciesForFix = (world: World, { userId }: Person, listingId: string, request: PublishRequest): void =>
  runInTransaction(world.db, () => {
    const { person, listing } = requirePublishableListing(world, userId, listingId, request);
    if (!fixableCodes.has(person.lastRefusal ?? '')) return;
    createMissingPolicies(world, person, listing.marketplaceId, 'flat');
    storeLastRefusal(world, person, null);
  });

/** Runs a publish in one transaction. With `fix`, it first creates the policies that an earlier publish lacked. */
export const runFixablePublish = <T>(
  world: World,
  person: Person,
  { listingId, request }: { listingId: string; request: PublishRequest },
  work: () => T,
): T => {
  if (request.fix === true) createPoliciesForFix(world, person, listingId, request);
  try {
    return runInTransaction(world.db, () => {
      const done = work();
      storeLastRefusal(world, person, null);
      return done;
    });
  } catch (error) {
    // A refusal that `fix` cannot repair must not change the stored code, so that a later `fix` still works.
    const code = error instanceof Refusal ? error.facts.code : undefined;
    if (code !== undefined && fixableCodes.has(code)) storeLastRefusal(world, person, code);
    throw error;
  }
};

/** Publishes a reviewed listing and charges the marketplace's fees in one transaction. */
export const publishOnMarket = (world: World, person: Person, listingId: string, request: PublishRequest): string =>
  runFixablePublish(world, person, { listingId, request }, () =>
    publishReviewedListing(world, person, listingId, request),
  );
