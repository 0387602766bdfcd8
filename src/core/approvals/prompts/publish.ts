import type { Fact, Money, Quote } from '../../storage/tables/approvalRecord.ts';
import { formatEnglish } from '../../../i18n/english.ts';
import { message, type Message } from '../../../i18n/message.ts';
import type { FirstRequest } from '../subject.ts';
import { amount, ownLabel, siteName, siteOr, valueText } from './values.ts';
import { leavesMarketplace, type FeeAnswer, type Listing } from '../../../contract/index.ts';
import { gatherChannels, otherChannels, refuseMisnamed } from './channels.ts';
import { policyFacts, type Policy } from './policies.ts';
import { Problem, problem } from '../../base/problem.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { moneyOf } from './draw.ts';
import { recordFacts } from './listingFacts.ts';
import type { Act, Moment, Reads, Seen } from './prompt.ts';
import { find } from './setup.ts';
import { sentenceIn, entryOf } from '../../../contract/untrusted.ts';
import { recordOf } from '../../base/json.ts';

/** What the last publish was refused for, where this one repairs the account first; a yes is bound to it. */
const repairOf = (body: Record<string, unknown>, listingId: string, reads: Reads) =>
  body['fix'] === true ? { repair: reads.lastRefusal(listingId) } : {};

const repairs: Readonly<Record<string, Message>> = {
  MISSING_POLICIES: message('prompts.repairPolicies'),
  TARGET_POLICIES_REQUIRED: message('prompts.repairSite'),
};

const codeOf = (repair: unknown): string | null => {
  const { code } = recordOf(repair);
  return typeof code === 'string' ? code : null;
};

/**
 * What the repair means: a problem is named only where the last refusal is known, and is one that can be repaired. What
 * else can be, the service alone knows, and of refusals that went past the companion too.
 */
export const repairMeans = ({ repair }: Record<string, unknown>): Message =>
  entryOf(repairs, codeOf(repair) ?? '') ? message('prompts.repairMeans') : message('prompts.repairIfMeans');

/** What is repaired: in our words where the code of the refusal has some, else in the service's own. */
const repairFacts = ({ repair }: Record<string, unknown>): Fact[] => {
  if (repair === undefined) return [];
  const code = codeOf(repair);
  const says = code === null ? message('prompts.repairLast') : entryOf(repairs, code);
  const fact = { namespace: 'request' as const, key: 'repair', ...ownLabel('repair') };
  return [
    { ...fact, ...(says ? { value: formatEnglish(says), says } : { value: String(recordOf(repair)['sentence']) }) },
  ];
};

const isPolicy = (value: object): value is Policy & { policyId: string } =>
  'policyId' in value && typeof value.policyId === 'string';

/** The policies anywhere in an open answer; the interface shows no shape for the list. */
const allIn = (value: unknown): (Policy & { policyId: string })[] => {
  if (value === null || typeof value !== 'object') return [];
  return isPolicy(value) ? [value] : Object.values(value).flatMap(allIn);
};

const idFields = ['fulfillmentPolicyId', 'paymentPolicyId', 'returnPolicyId'] as const;

type Named = Readonly<Record<string, unknown>>;

/**
 * The policies that a publish may take: those that it names, or its template where it is silent, and of the site any
 * other where neither names one. Null where they could not be read.
 */
const policiesIn = (answer: unknown, site: string | null, body: Named, template: Named | null): Policy[] | null => {
  if (answer === null) return null;
  const named = idFields.map((field) => body[field] ?? template?.[field]).filter((id) => typeof id === 'string');
  const all = allIn(answer);
  const isSilent = named.length < idFields.length;
  return all.filter(
    (policy) => named.includes(policy.policyId) || (isSilent && (policy['marketplaceId'] ?? site) === site),
  );
};

const policyFields = ['marketAccountId', 'fulfillmentPolicyId', 'paymentPolicyId', 'returnPolicyId'] as const;

type Body = Record<string, unknown>;
type Input = { params: { listingId: string }; body: Body };

const gather = async (input: Input, reads: Reads) => {
  refuseMisnamed({ ...input.params, body: input.body, wanted: 'notLive' });
  return leavesMarketplace(input.body) ? gatherElsewhere(input, reads) : gatherMarket(input, reads);
};

/**
 * A publish on other channels alone. The marketplace's quote is shown before every publish; what another channel charges
 * nobody tells, so the fee of this one is unknown.
 */
const gatherElsewhere = async ({ params, body }: Input, reads: Reads) => {
  const listing = await reads.listing(params.listingId);
  if (listing.status === 'pending_review') throw problem('WRONG_STATE.marketFirst', { field: 'channels' });
  if (listing.status !== 'published') refuseUnpublishable(listing);
  const channels = await gatherChannels({ ...params, body, wanted: 'notLive' }, reads);
  const { answer, quotedAt }: Quoted = await reads.fees(listing.listingId, {}).catch(quoteUnavailable(reads));
  const says = message('prompts.channelFees');
  return {
    listing,
    photos: await reads.photos(listing, true),
    quote: answer.quote ?? { state: 'unavailable' as const },
    context: { ...channels, ...soldBefore(listing) },
    moment: { readAt: quotedAt, reason: formatEnglish(says), says } satisfies Moment,
  };
};

const gatherMarket = async ({ params, body }: Input, reads: Reads) => {
  const listing = await reads.listing(params.listingId);
  refuseUnpublishable(listing);
  const channels = await gatherChannels({ ...params, body, wanted: 'notLive' }, reads);
  const named = Object.fromEntries(
    policyFields.flatMap((name) => (typeof body[name] === 'string' ? [[name, body[name]]] : [])),
  );
  const ofSite = await namedPolicies(listing, body, reads);
  const quoted: Quoted = await reads.fees(listing.listingId, named).catch(quoteUnavailable(reads));
  const { answer, quotedAt, says } = quoted;
  const site = listing.marketplaceId ?? answer.quote?.marketplaceId ?? null;
  const policiesNow = async (): Promise<unknown> => ofSite ?? (site === null ? null : reads.policies(site));
  const [photos, template, policies, defaults, user] = await Promise.all([
    reads.photos(listing, true),
    templateOf(listing, reads),
    policiesNow(),
    reads.plain('readSellerDefaults'),
    typeof body['autoDelistOnSale'] === 'boolean' ? null : reads.user(),
  ]);
  const agreed = site === null || (answer.feeNotice?.confirmedSites ?? []).includes(site);
  const moment: Moment = { readAt: quotedAt, reason: answer.quote?.reason ?? null, says };
  return {
    listing,
    photos,
    quote: answer.quote ?? { state: 'unavailable' as const },
    ...(site === null ? {} : { feeNotice: { site, agreed } }),
    first: agreed ? [] : [confirmation(listing.listingId, site)],
    context: {
      defaults,
      policies: policiesIn(policies, site, body, template ?? null),
      ...(template === undefined ? {} : { template }),
      ...autoDelist(user),
      ...soldBefore(listing),
      ...channels,
      ...repairOf(body, listing.listingId, reads),
    },
    moment,
  };
};

/**
 * The policies of the listing's site, read first where the request names some; null where it names none or they cannot be
 * read. Refuses what is none of them, as far as the list is understood.
 */
const namedPolicies = async ({ marketplaceId: site }: Listing, body: Body, reads: Reads): Promise<unknown> => {
  const named = idFields.filter((field) => typeof body[field] === 'string');
  if (named.length === 0 || typeof site !== 'string') return null;
  const answer = await reads.policies(site);
  const all = allIn(answer);
  const isOfSite = (id: unknown): boolean =>
    all.some(({ policyId, marketplaceId = site }) => policyId === id && marketplaceId === site);
  const unknown = all.length === 0 ? undefined : named.find((field) => !isOfSite(body[field]));
  if (unknown !== undefined) throw problem('INVALID_REQUEST.unknownPolicy', { field: unknown });
  return answer;
};

/** The template that the service acts by where the request is silent; undefined where the listing has none. */
const templateOf = async ({ templateId }: Listing, reads: Reads) =>
  typeof templateId === 'string' && templateId !== ''
    ? find(await reads.plain('listTemplates'), 'templateId', templateId)
    : undefined;

/** How many were sold of a listing that was live before, so that a sale after the publish can be told apart. */
const soldBefore = ({ soldQuantity }: Listing): { soldQuantity?: number } =>
  typeof soldQuantity === 'number' && soldQuantity > 0 ? { soldQuantity } : {};

/** What happens to other channels after a sale, where the request does not say. */
const autoDelist = (user: unknown): { autoDelistDefault?: unknown } =>
  user !== null && typeof user === 'object' && 'autoDelistDefault' in user
    ? { autoDelistDefault: user.autoDelistDefault }
    : {};

type Shown = Seen<'publishListing'> | Seen<'publishChannels'>;

/** What the person is told of a publish on the marketplace that repairs the account first. */
const repairWords = (money: Money, context: Record<string, unknown>) => ({
  consequence: repairMeans(context),
  yes: yesOf(money, 'repair'),
  undo: message('prompts.repairUndo'),
});

/** The marketplace's own quote, where nothing is published there. */
const marketQuote = (quote: Quote | null): Fact => {
  const { state, totalMinor, currency } = quote ?? { state: 'unavailable', totalMinor: null, currency: null };
  const says =
    state === 'fee' && totalMinor !== null
      ? amount(totalMinor, currency)
      : message(state === 'free' ? 'values.free' : 'values.unchecked');
  return { namespace: 'request', key: 'marketQuote', ...ownLabel('marketQuote'), value: formatEnglish(says), says };
};

const sheetElsewhere = ({ subject, moment }: Shown, channels: Message) => ({
  act: message('prompts.publishOnChannels', { channels }),
  consequence: message('prompts.publishThereMeans'),
  yes: message('prompts.publishUnknown'),
  undo: message('prompts.publishThereUndo'),
  facts: [marketQuote(subject.quote)],
  money: { ...moneyOf(null, moment), label: message('prompts.feesOn', { channels }) },
});

const actOf = (site: string | null, channels: Message | null): Message => {
  if (!site) return message('prompts.publish');
  return channels === null
    ? message('prompts.publishOn', { site: siteName(site) })
    : message('prompts.publishOnToo', { site: siteName(site), channels });
};

/** Publish: the listing as it is now, its fee as it is now, and the fee notice on the first publish of a site. */
const sheet = (seen: Shown) => {
  const { listing, subject, moment, input } = seen;
  const { feeNotice, quote, context } = subject;
  const channels = otherChannels(context);
  if (channels !== null && leavesMarketplace(input.body)) return sheetElsewhere(seen, channels);
  const site = feeNotice?.site ?? listing.marketplaceId ?? null;
  const money = moneyOf(quote, moment);
  return {
    act: actOf(site, channels),
    consequence: message('prompts.publishMeans'),
    yes: yesOf(money, 'publish'),
    undo: message('prompts.publishUndo'),
    ...(context['repair'] === undefined ? {} : repairWords(money, context)),
    facts: [
      ...repairFacts(context),
      ...afterSale(context),
      ...recordFacts('defaults', context['defaults']),
      ...policyFacts(context['policies']),
      ...recordFacts('templates', context['template']),
    ],
    money,
    feeNotice: feeNotice && !feeNotice.agreed ? feeNoticeOf(feeNotice.site) : null,
  };
};

const afterSale = ({ autoDelistDefault }: Record<string, unknown>): Fact[] => {
  if (autoDelistDefault === undefined) return [];
  const { text, says } = valueText('autoDelistDefault', autoDelistDefault, null);
  return [
    {
      namespace: 'account',
      key: 'autoDelistDefault',
      label: 'autoDelistDefault',
      value: text,
      ...(says ? { says } : {}),
    },
  ];
};

export const publishListing: Act<'publishListing'> = { gather, sheet };
export const publishChannels: Act<'publishChannels'> = { gather, sheet };

/** What a person agrees to once for every site. */
export const feeNoticeOf = (site: string | null | undefined): Message =>
  message('prompts.feeNotice', { site: siteOr(site) });

const confirmation = (listingId: string, site: string): FirstRequest => ({
  route: 'quoteFees',
  input: { params: { listingId }, body: { action: 'confirm', marketplaceId: site } },
});

const longestField = 100;

const refuseUnpublishable = (listing: Listing): void => {
  if (listing.status !== 'pending_review') throw problem(`WRONG_STATE.${listing.status}`, { field: 'status' });
  const [blocker] = listing.publishBlockers ?? [];
  if (!blocker) return;
  const field = blocker.field ? { field: blocker.field.slice(0, longestField) } : {};
  const sentence = sentenceIn(blocker.message);
  throw sentence === null ? problem('PUBLISH_BLOCKED', field) : new Problem('PUBLISH_BLOCKED', sentence, field);
};

/** `says` is of a reason of ours why there is no quote. */
type Quoted = { answer: FeeAnswer; quotedAt: number; says?: Message | undefined };

// A quote that cannot be had is not a reason to hide the prompt: the person is told that the fee is unknown.
const quoteUnavailable =
  (reads: Reads) =>
  (error: unknown): Quoted => {
    if (!(error instanceof ServiceError) || error.code === 'RECONNECT_NEEDED') throw error;
    const quote = { state: 'unavailable' as const, reason: error.message };
    return {
      answer: { quote, feeNotice: { confirmedSites: [...reads.confirmedSites()] } },
      quotedAt: reads.now(),
      says: error.says,
    };
  };

/** The button, with what it costs; `repair` mends the account first. */
const yesOf = ({ state, totalMinor, currency }: Money, act: 'publish' | 'repair'): Message => {
  if (state === 'free') return message(`prompts.${act}Free`);
  return state === 'fee' && totalMinor !== null
    ? message(`prompts.${act}For`, { fee: { minor: totalMinor, currency } })
    : message(`prompts.${act}Unknown`);
};
