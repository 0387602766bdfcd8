import type { Fact, Money, Quote } from '../../storage/tables/approvalRecord.ts';
import { formatEnglish } from '../../../i18n/english.ts';
import { message, type Message } from '../../../i18n/message.ts';
import type { FirstRequest } from '../subject.ts';
import { amount, fieldLabel, ownLabel, siteName, siteOr } from './values.ts';
import * as z from 'zod';
import {
  leavesMarketplace,
  policiesIn,
  policyFields,
  policyKinds,
  type AnsweredPolicy,
  type FeeAnswer,
  type Listing,
  type PolicyKind,
} from '../../../contract/index.ts';
import { gatherChannels, otherChannels, refuseMisnamed } from './channels.ts';
import { idSays, type Names } from './ids.ts';
import { accountNames } from './names.ts';
import { choosePolicies, policyFacts } from './policies.ts';
import { Problem, problem } from '../../base/problem.ts';
import { isTransient, ServiceError } from '../../service/serviceError.ts';
import { moneyOf } from './draw.ts';
import { recordFacts } from './listingFacts.ts';
import type { Act, Moment, Reads, Seen, Sheet } from './prompt.ts';
import { priceOrUnknown } from './mainFact.ts';
import { find } from './setup.ts';
import { sentenceIn, entryOf } from '../../../contract/untrusted.ts';
import { recordOf } from '../../base/json.ts';

/** Returns the last refusal of the listing if this publish repairs the account first. The approval is bound to it. */
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
 * Describes the repair. A problem is named only if the last refusal is known and can be repaired. Only the service knows
 * what else it repairs, and the companion does not see refusals of requests that bypassed it.
 */
export const repairMeans = ({ repair }: Record<string, unknown>): Message =>
  entryOf(repairs, codeOf(repair) ?? '') ? message('prompts.repairMeans') : message('prompts.repairIfMeans');

/**
 * Describes the problem that is repaired: with a text of the companion if the code has one, else with the service's
 * sentence.
 */
const repairFacts = ({ repair }: Record<string, unknown>): Fact[] => {
  if (repair === undefined) return [];
  const code = codeOf(repair);
  const says = code === null ? message('prompts.repairLast') : entryOf(repairs, code);
  const fact = { namespace: 'request' as const, key: 'own repair', ...ownLabel('repair') };
  return [
    { ...fact, ...(says ? { value: formatEnglish(says), says } : { value: String(recordOf(repair)['sentence']) }) },
  ];
};

/** The fields of a publish that name a record of the account. */
const choiceFields = ['marketAccountId', ...Object.values(policyFields)] as const;

type Body = Record<string, unknown>;
type Input = { params: { listingId: string }; body: Body };

const gather = async (input: Input, reads: Reads) => {
  refuseMisnamed({ ...input.params, body: input.body, wanted: 'notLive' });
  return leavesMarketplace(input.body) ? gatherElsewhere(input, reads) : gatherMarket(input, reads);
};

/**
 * Reads a publish on other channels only. The marketplace's quote is shown before every publish. Other channels do not state
 * their fees, so the fee of this publish is unknown.
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
    choiceFields.flatMap((name) => (typeof body[name] === 'string' ? [[name, body[name]]] : [])),
  );
  await refuseOtherPolicies(listing, body, reads);
  const quoted: Quoted = await reads.fees(listing.listingId, named).catch(quoteUnavailable(reads));
  const { answer, quotedAt, says } = quoted;
  const site = listing.marketplaceId ?? answer.quote?.marketplaceId ?? null;
  const [photos, template, policies, accounts, defaults, user] = await Promise.all([
    reads.photos(listing, true),
    templateOf(listing, reads),
    site === null ? null : reads.policies(site),
    reads.plain('listMarketAccounts').catch(nullWhenRefused),
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
      ...policiesOf(policies, site, { request: body, template, defaults: recordOf(defaults) }),
      ...accountOf(accounts, body, listing),
      ...(template === undefined ? {} : { template }),
      ...autoDelist(user),
      ...soldBefore(listing),
      ...channels,
      ...repairOf(body, listing.listingId, reads),
    },
    moment,
  };
};

const ofSiteIn = (answer: unknown, site: string | null): AnsweredPolicy[] =>
  policiesIn(answer).filter((policy) => (policy.site ?? site) === site);

/** Returns who chooses which policy; the candidates of the service are those of the site. Null if they could not be read. */
const policiesOf = (answer: unknown, site: string | null, named: Parameters<typeof choosePolicies>[0]) => {
  const ofSite = ofSiteIn(answer, site);
  return {
    policies: choosePolicies(named, ofSite),
    policyIdsOfUnknownKind:
      answer === null ? null : ofSite.filter(({ kind }) => kind === null).map(({ policyId }) => policyId),
  };
};

/** Returns the accounts that the service may use if neither the request nor the listing names one. */
const accountOf = (answer: unknown, body: Body, { marketAccountId }: Listing): { accountIds?: string[] } =>
  typeof (body['marketAccountId'] ?? marketAccountId) === 'string'
    ? {}
    : { accountIds: accountNames(answer).map(({ id }) => id) };

/** Refuses a named policy of another site or kind, if the list of policies can be parsed. */
const refuseOtherPolicies = async ({ marketplaceId: site }: Listing, body: Body, reads: Reads): Promise<void> => {
  const named = policyKinds.filter((kind) => typeof body[policyFields[kind]] === 'string');
  if (named.length === 0 || typeof site !== 'string') return;
  const ofSite = ofSiteIn(await reads.policies(site), site);
  const fits = (kind: PolicyKind): boolean =>
    ofSite.some((one) => one.policyId === body[policyFields[kind]] && (one.kind ?? kind) === kind);
  const wrong = ofSite.length === 0 ? undefined : named.find((kind) => !fits(kind));
  if (wrong !== undefined) throw problem('INVALID_REQUEST.unknownPolicy', { field: policyFields[wrong] });
};

/** Returns the template whose values apply where the request sets none; undefined if the listing has none. */
const templateOf = async ({ templateId }: Listing, reads: Reads) =>
  typeof templateId === 'string' && templateId !== ''
    ? find(await reads.plain('listTemplates'), 'templateId', templateId)
    : undefined;

/** Returns the number sold of a relisted listing, so that a sale after the publish can be detected. */
const soldBefore = ({ soldQuantity }: Listing): { soldQuantity?: number } =>
  typeof soldQuantity === 'number' && soldQuantity > 0 ? { soldQuantity } : {};

/**
 * Returns what happens to other channels after a sale if the request does not set it; null if the service does not state
 * it.
 */
const autoDelist = (user: unknown): { autoDelistDefault?: unknown } =>
  user === null ? {} : { autoDelistDefault: recordOf(user)['autoDelistDefault'] ?? null };

type Shown = Seen<'publishListing'> | Seen<'publishChannels'>;

/** Returns the texts of a marketplace publish that repairs the account first. */
const repairWords = (money: Money, context: Record<string, unknown>) => ({
  consequence: repairMeans(context),
  yes: yesOf(money, 'repair'),
  undo: message('prompts.repairUndo'),
});

/** Shows the marketplace's quote when nothing is published there. */
const marketQuote = (quote: Quote | null): Fact => {
  const { state, totalMinor, currency } = quote ?? { state: 'unavailable', totalMinor: null, currency: null };
  const says =
    state === 'fee' && totalMinor !== null
      ? amount(totalMinor, currency)
      : message(state === 'free' ? 'values.free' : 'values.unchecked');
  return { namespace: 'request', key: 'own marketQuote', ...ownLabel('marketQuote'), value: formatEnglish(says), says };
};

/** Returns the fields that differ from the live listing; all others apply to this publish only. */
const liveChanges = (listing: Listing, body: Body): Pick<Sheet, 'before' | 'unchanging'> => {
  const isChange = (field: string): boolean =>
    typeof listing[field] === typeof body[field] && listing[field] !== body[field];
  return listing.status === 'published'
    ? { before: listing, unchanging: Object.keys(body).filter((field) => !isChange(field)) }
    : {};
};

const sheetElsewhere = ({ subject, moment, listing, input }: Shown, channels: Message) => ({
  ...liveChanges(listing, input.body),
  act: message('prompts.publishOnChannels', { channels }),
  consequence: message('prompts.publishThereMeans'),
  yes: message('prompts.publishUnknown'),
  undo: message('prompts.publishThereUndo'),
  mainFact: priceOrUnknown(listing),
  facts: [marketQuote(subject.quote)],
  money: { ...moneyOf(null, moment), label: message('prompts.feesOn', { channels }) },
});

const actOf = (site: string | null, channels: Message | null): Message => {
  if (!site) return message('prompts.publish');
  return channels === null
    ? message('prompts.publishOn', { site: siteName(site) })
    : message('prompts.publishOnToo', { site: siteName(site), channels });
};

const sheet = (seen: Shown) => {
  const { listing, subject, moment, input, names } = seen;
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
    mainFact: priceOrUnknown(listing),
    ...(context['repair'] === undefined ? {} : repairWords(money, context)),
    facts: [
      ...repairFacts(context),
      ...accountFacts(context, names),
      ...afterSale(context),
      ...recordFacts('defaults', context['defaults'], names),
      ...policiesShown(context, names),
      ...recordFacts('templates', context['template'], names),
    ],
    money,
    feeNotice: feeNotice && !feeNotice.agreed ? feeNoticeOf(feeNotice.site) : null,
  };
};

const afterSale = ({ autoDelistDefault }: Record<string, unknown>): Fact[] => {
  if (autoDelistDefault === undefined) return [];
  const says =
    typeof autoDelistDefault === 'boolean'
      ? message(autoDelistDefault ? 'values.true' : 'values.false')
      : message('values.unknown');
  const key = 'autoDelistDefault';
  return [{ namespace: 'account', key, ...fieldLabel([key]), value: formatEnglish(says), says }];
};

/** Shows the account that the service uses if none is named: the only account, or the candidates. */
const accountFacts = ({ accountIds }: Record<string, unknown>, names: Names): Fact[] => {
  const parsed = z.array(z.string()).safeParse(accountIds);
  if (!parsed.success) return [];
  const [only, ...more] = parsed.data.map((id) => idSays('account', id, names));
  const several = only && more.reduce((before, next) => message('values.oneOf', { before, next }), only);
  const says =
    several === undefined
      ? message('values.chosenByService')
      : more.length > 0
        ? message('values.chosenFrom', { policies: several })
        : several;
  const key = 'marketAccountId';
  return [{ namespace: 'account', key, ...fieldLabel([key]), value: formatEnglish(says), says }];
};

const choices = z.array(
  z.object({
    kind: z.enum(policyKinds),
    by: z.enum(['request', 'template', 'defaults', 'service']),
    policyIds: z.array(z.string()),
  }),
);
const unknownKinds = z.array(z.string()).nullable();

const policiesShown = ({ policies, policyIdsOfUnknownKind }: Record<string, unknown>, names: Names): Fact[] =>
  policyFacts(choices.parse(policies), unknownKinds.parse(policyIdsOfUnknownKind), names);

export const publishListing: Act<'publishListing'> = { gather, sheet };
export const publishChannels: Act<'publishChannels'> = { gather, sheet };

/** Returns the fee notice that a person accepts once per site. */
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

/** If the service refuses to list accounts, they are unknown. A read without an answer is retried. */
const nullWhenRefused = (error: unknown): null => {
  if (isTransient(error)) throw error;
  return null;
};

/** `says` is set if the companion itself explains why there is no quote. */
type Quoted = { answer: FeeAnswer; quotedAt: number; says?: Message | undefined };

// A missing quote must not hide the prompt: the person is told that the fee is unknown.
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

/** Returns the label of the button with its cost; `repair` repairs the account first. */
const yesOf = ({ state, totalMinor, currency }: Money, act: 'publish' | 'repair'): Message => {
  if (state === 'free') return message(`prompts.${act}Free`);
  return state === 'fee' && totalMinor !== null
    ? message(`prompts.${act}For`, { fee: { minor: totalMinor, currency } })
    : message(`prompts.${act}Unknown`);
};
