import type { PromptFact, PromptMoney, Quote } from '../../storage/tables/approvalRecord.ts';
import { formatEnglishMessage } from '../../../i18n/english.ts';
import { createMessage, type Message } from '../../../i18n/message.ts';
import type { PrecedingRequest } from '../subject.ts';
import {
  createAmountMessage,
  createFieldLabel,
  createFactLabel,
  formatSiteName,
  formatSiteOrThisSite,
} from './values.ts';
import * as z from 'zod';
import {
  excludesMarketplace,
  findPublishFix,
  listAnsweredPolicies,
  policyFields,
  policyKinds,
  type AnsweredPolicy,
  type FeeAnswer,
  type Listing,
  type PolicyKind,
} from '../../../contract/index.ts';
import { gatherChannels, formatOtherChannels, refuseAmbiguousChannels } from './channels.ts';
import { formatIdName, type IdNames } from './ids.ts';
import { listAccountNames, returnNullIfRefused } from './idNames.ts';
import { choosePolicySources, createPolicyFacts } from './policies.ts';
import { Problem, createProblem } from '../../base/problem.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { toPromptMoney } from './renderPromptContent.ts';
import { createRecordFacts } from './listingFacts.ts';
import type { PromptDefinition, UnboundPromptInfo, Reads, PromptInput, PromptContent } from './promptDefinition.ts';
import { formatPriceOrUnknown } from './mainFact.ts';
import { findRecordById } from './setup.ts';
import { parseServiceSentence, findOwnEntry } from '../../../contract/untrusted.ts';
import { toRecordOrEmpty } from '../../base/json.ts';

/** The approval is bound to the refusal that the repair is meant to fix. */
const createRepairContext = (body: Record<string, unknown>, listingId: string, reads: Reads) =>
  body['fix'] === true ? { repair: reads.lastRefusal(listingId) } : {};

const repairTexts: Readonly<Record<string, Message>> = {
  MISSING_POLICIES: createMessage('prompts.repairPolicies'),
  TARGET_POLICIES_REQUIRED: createMessage('prompts.repairSite'),
};

const getRefusalCode = (repair: unknown): string | null => {
  const { code } = toRecordOrEmpty(repair);
  return typeof code === 'string' ? code : null;
};

/** Only a known refusal gets a definite text, because the companion does not see requests that bypass it. */
export const describeRepairConsequence = ({ repair }: Record<string, unknown>): Message =>
  findOwnEntry(repairTexts, getRefusalCode(repair) ?? '')
    ? createMessage('prompts.repairMeans')
    : createMessage('prompts.repairIfMeans');

/** Uses a text of the companion if the code has one, else the service's sentence. */
const createRepairFacts = ({ repair }: Record<string, unknown>): PromptFact[] => {
  if (repair === undefined) return [];
  const code = getRefusalCode(repair);
  const says = code === null ? createMessage('prompts.repairLast') : findOwnEntry(repairTexts, code);
  const fact = { namespace: 'request' as const, key: 'own repair', ...createFactLabel('repair') };
  return [
    {
      ...fact,
      ...(says ? { value: formatEnglishMessage(says), says } : { value: String(toRecordOrEmpty(repair)['sentence']) }),
    },
  ];
};

const accountChoiceFields = ['marketAccountId', ...Object.values(policyFields)] as const;

type PublishBody = Record<string, unknown>;
type PublishInput = { params: { listingId: string }; body: PublishBody };

const gatherPublishFacts = async (input: PublishInput, reads: Reads) => {
  refuseAmbiguousChannels({ ...input.params, body: input.body, expected: 'notLive' });
  return excludesMarketplace(input.body)
    ? gatherChannelPublishFacts(input, reads)
    : gatherMarketPublishFacts(input, reads);
};

/** The fee is unknown because other channels do not state their fees. The marketplace's quote is shown anyway. */
const gatherChannelPublishFacts = async ({ params, body }: PublishInput, reads: Reads) => {
  const listing = await reads.listing(params.listingId);
  if (listing.status === 'pending_review') throw createProblem('WRONG_STATE.marketFirst', { field: 'channels' });
  if (listing.status !== 'published') refuseUnpublishableListing(listing);
  const channels = await gatherChannels({ ...params, body, expected: 'notLive' }, reads);
  const { answer, quotedAt }: QuoteResult = await reads
    .fees(listing.listingId, {})
    .catch(createUnavailableQuote(reads));
  const says = createMessage('prompts.channelFees');
  return {
    listing,
    photos: await reads.photos(listing, true),
    quote: answer.quote ?? { state: 'unavailable' as const },
    context: { ...channels, ...getSoldQuantity(listing) },
    moment: { readAt: quotedAt, reason: formatEnglishMessage(says), says } satisfies UnboundPromptInfo,
  };
};

const gatherMarketPublishFacts = async ({ params, body }: PublishInput, reads: Reads) => {
  const listing = await reads.listing(params.listingId);
  refuseUnpublishableListing(listing);
  const channels = await gatherChannels({ ...params, body, expected: 'notLive' }, reads);
  const named = Object.fromEntries(
    accountChoiceFields.flatMap((name) => (typeof body[name] === 'string' ? [[name, body[name]]] : [])),
  );
  await refuseUnsuitablePolicies(listing, body, reads);
  const quoted: QuoteResult = await reads.fees(listing.listingId, named).catch(createUnavailableQuote(reads));
  const { answer, quotedAt, says } = quoted;
  const site = listing.marketplaceId ?? answer.quote?.marketplaceId ?? null;
  const [photos, template, policies, accounts, defaults, user] = await Promise.all([
    reads.photos(listing, true),
    findListingTemplate(listing, reads),
    site === null ? null : reads.policies(site),
    reads.plain('listMarketAccounts').catch(returnNullIfRefused),
    reads.plain('readSellerDefaults'),
    typeof body['autoDelistOnSale'] === 'boolean' ? null : reads.user(),
  ]);
  const agreed = site === null || (answer.feeNotice?.confirmedSites ?? []).includes(site);
  const moment: UnboundPromptInfo = { readAt: quotedAt, reason: answer.quote?.reason ?? null, says };
  return {
    listing,
    photos,
    quote: answer.quote ?? { state: 'unavailable' as const },
    ...(site === null ? {} : { feeNotice: { site, agreed } }),
    first: agreed ? [] : [createFeeConfirmationRequest(listing.listingId, site)],
    context: {
      defaults,
      ...createPolicyContext(policies, site, { request: body, template, defaults: toRecordOrEmpty(defaults) }),
      ...createAccountContext(accounts, body, listing),
      ...(template === undefined ? {} : { template }),
      ...getAutoDelistDefault(user),
      ...getSoldQuantity(listing),
      ...channels,
      ...createRepairContext(body, listing.listingId, reads),
    },
    moment,
  };
};

const listPoliciesOfSite = (answer: unknown, site: string | null): AnsweredPolicy[] =>
  listAnsweredPolicies(answer).filter((policy) => (policy.site ?? site) === site);

/** `policyIdsOfUnknownKind` is null if the policies could not be read. */
const createPolicyContext = (
  answer: unknown,
  site: string | null,
  named: Parameters<typeof choosePolicySources>[0],
) => {
  const ofSite = listPoliciesOfSite(answer, site);
  return {
    policies: choosePolicySources(named, ofSite),
    policyIdsOfUnknownKind:
      answer === null ? null : ofSite.filter(({ kind }) => kind === null).map(({ policyId }) => policyId),
  };
};

/** If neither the request nor the listing names an account, the service chooses one of the `accountIds`. */
const createAccountContext = (
  answer: unknown,
  body: PublishBody,
  { marketAccountId }: Listing,
): { accountIds?: string[] } =>
  typeof (body['marketAccountId'] ?? marketAccountId) === 'string'
    ? {}
    : { accountIds: listAccountNames(answer).map(({ id }) => id) };

/** Throws INVALID_REQUEST for a policy of another site or kind. Accepts every policy if the list cannot be parsed. */
const refuseUnsuitablePolicies = async (
  { marketplaceId: site }: Listing,
  body: PublishBody,
  reads: Reads,
): Promise<void> => {
  const named = policyKinds.filter((kind) => typeof body[policyFields[kind]] === 'string');
  if (named.length === 0 || typeof site !== 'string') return;
  const ofSite = listPoliciesOfSite(await reads.policies(site), site);
  const isPolicyOfKind = (kind: PolicyKind): boolean =>
    ofSite.some((policy) => policy.policyId === body[policyFields[kind]] && (policy.kind ?? kind) === kind);
  const wrong = ofSite.length === 0 ? undefined : named.find((kind) => !isPolicyOfKind(kind));
  if (wrong !== undefined) throw createProblem('INVALID_REQUEST.unknownPolicy', { field: policyFields[wrong] });
};

/** The template supplies the values that the request does not set. */
const findListingTemplate = async ({ templateId }: Listing, reads: Reads) =>
  typeof templateId === 'string' && templateId !== ''
    ? findRecordById(await reads.plain('listTemplates'), 'templateId', templateId)
    : undefined;

/** A relisted listing already has sales, so their number is stored to detect later sales. */
const getSoldQuantity = ({ soldQuantity }: Listing): { soldQuantity?: number } =>
  typeof soldQuantity === 'number' && soldQuantity > 0 ? { soldQuantity } : {};

/** `autoDelistDefault` decides what happens on other channels after a sale; null means that it is unknown. */
const getAutoDelistDefault = (user: unknown): { autoDelistDefault?: unknown } =>
  user === null ? {} : { autoDelistDefault: toRecordOrEmpty(user)['autoDelistDefault'] ?? null };

type PublishPromptInput = PromptInput<'publishListing'> | PromptInput<'publishChannels'>;

const createRepairTexts = (money: PromptMoney, context: Record<string, unknown>) => ({
  consequence: describeRepairConsequence(context),
  yes: formatPublishButton(money, 'repair'),
  undo: createMessage('prompts.repairUndo'),
});

const createMarketQuoteFact = (quote: Quote | null): PromptFact => {
  const { state, totalMinor, currency } = quote ?? { state: 'unavailable', totalMinor: null, currency: null };
  const says =
    state === 'fee' && totalMinor !== null
      ? createAmountMessage(totalMinor, currency)
      : createMessage(state === 'free' ? 'values.free' : 'values.unchecked');
  return {
    namespace: 'request',
    key: 'own marketQuote',
    ...createFactLabel('marketQuote'),
    value: formatEnglishMessage(says),
    says,
  };
};

/** `unchanging` lists the fields that apply only to this publish and do not change the live listing. */
const selectLiveChanges = (listing: Listing, body: PublishBody): Pick<PromptContent, 'before' | 'unchanging'> => {
  const isChangedField = (field: string): boolean =>
    typeof listing[field] === typeof body[field] && listing[field] !== body[field];
  return listing.status === 'published'
    ? { before: listing, unchanging: Object.keys(body).filter((field) => !isChangedField(field)) }
    : {};
};

const renderPublishOnChannels = ({ subject, moment, listing, input }: PublishPromptInput, channels: Message) => ({
  ...selectLiveChanges(listing, input.body),
  act: createMessage('prompts.publishOnChannels', { channels }),
  consequence: createMessage('prompts.publishThereMeans'),
  yes: createMessage('prompts.publishUnknown'),
  undo: createMessage('prompts.publishThereUndo'),
  mainFact: formatPriceOrUnknown(listing),
  facts: [createMarketQuoteFact(subject.quote)],
  money: { ...toPromptMoney(null, moment), label: createMessage('prompts.feesOn', { channels }) },
});

const describePublishRequest = (site: string | null, channels: Message | null): Message => {
  if (!site) return createMessage('prompts.publish');
  return channels === null
    ? createMessage('prompts.publishOn', { site: formatSiteName(site) })
    : createMessage('prompts.publishOnToo', { site: formatSiteName(site), channels });
};

const renderPublish = (seen: PublishPromptInput) => {
  const { listing, subject, moment, input, names } = seen;
  const { feeNotice, quote, context } = subject;
  const channels = formatOtherChannels(context);
  if (channels !== null && excludesMarketplace(input.body)) return renderPublishOnChannels(seen, channels);
  const site = feeNotice?.site ?? listing.marketplaceId ?? null;
  const money = toPromptMoney(quote, moment);
  return {
    act: describePublishRequest(site, channels),
    consequence: createMessage('prompts.publishMeans'),
    yes: formatPublishButton(money, 'publish'),
    undo: createMessage('prompts.publishUndo'),
    mainFact: formatPriceOrUnknown(listing),
    ...(context['repair'] === undefined ? {} : createRepairTexts(money, context)),
    facts: [
      ...createRepairFacts(context),
      ...createAccountFacts(context, names),
      ...createAfterSaleFacts(context),
      ...createRecordFacts('defaults', context['defaults'], names),
      ...parsePolicyFacts(context, names),
      ...createRecordFacts('templates', context['template'], names),
    ],
    money,
    feeNotice: feeNotice && !feeNotice.agreed ? createFeeNotice(feeNotice.site) : null,
  };
};

const createAfterSaleFacts = ({ autoDelistDefault }: Record<string, unknown>): PromptFact[] => {
  if (autoDelistDefault === undefined) return [];
  const says =
    typeof autoDelistDefault === 'boolean'
      ? createMessage(autoDelistDefault ? 'values.true' : 'values.false')
      : createMessage('values.unknown');
  const key = 'autoDelistDefault';
  return [{ namespace: 'account', key, ...createFieldLabel([key]), value: formatEnglishMessage(says), says }];
};

const createAccountFacts = ({ accountIds }: Record<string, unknown>, names: IdNames): PromptFact[] => {
  const parsed = z.array(z.string()).safeParse(accountIds);
  if (!parsed.success) return [];
  const [only, ...more] = parsed.data.map((id) => formatIdName('account', id, names));
  const several = only && more.reduce((before, next) => createMessage('values.oneOf', { before, next }), only);
  const says =
    several === undefined
      ? createMessage('values.chosenByService')
      : more.length > 0
        ? createMessage('values.chosenFrom', { policies: several })
        : several;
  const key = 'marketAccountId';
  return [{ namespace: 'account', key, ...createFieldLabel([key]), value: formatEnglishMessage(says), says }];
};

const policyChoicesShape = z.array(
  z.object({
    kind: z.enum(policyKinds),
    by: z.enum(['request', 'template', 'defaults', 'service']),
    policyIds: z.array(z.string()),
  }),
);
const unknownKindsShape = z.array(z.string()).nullable();

const parsePolicyFacts = (
  { policies, policyIdsOfUnknownKind }: Record<string, unknown>,
  names: IdNames,
): PromptFact[] =>
  createPolicyFacts(policyChoicesShape.parse(policies), unknownKindsShape.parse(policyIdsOfUnknownKind), names);

export const publishListing: PromptDefinition<'publishListing'> = { gather: gatherPublishFacts, render: renderPublish };
export const publishChannels: PromptDefinition<'publishChannels'> = {
  gather: gatherPublishFacts,
  render: renderPublish,
};

/** Returns the fee notice that the person accepts once per site. */
export const createFeeNotice = (site: string | null | undefined): Message =>
  createMessage('prompts.feeNotice', { site: formatSiteOrThisSite(site) });

const createFeeConfirmationRequest = (listingId: string, site: string): PrecedingRequest => ({
  route: 'quoteFees',
  input: { params: { listingId }, body: { action: 'confirm', marketplaceId: site } },
});

const maxFieldLength = 100;

const refuseUnpublishableListing = (listing: Listing): void => {
  if (listing.status !== 'pending_review') throw createProblem(`WRONG_STATE.${listing.status}`, { field: 'status' });
  const [blocker] = listing.publishBlockers ?? [];
  if (!blocker) return;
  const field = blocker.field ? { field: blocker.field.slice(0, maxFieldLength) } : {};
  const sentence = parseServiceSentence(blocker.message);
  // The code of a known refusal chooses the fix that the window offers and the next step of an assistant.
  const code = blocker.code && findPublishFix(blocker.code) ? blocker.code : 'PUBLISH_BLOCKED';
  throw sentence === null ? createProblem('PUBLISH_BLOCKED', field) : new Problem(code, sentence, field);
};

/** `says` is set if the companion itself explains why there is no quote. */
type QuoteResult = { answer: FeeAnswer; quotedAt: number; says?: Message | undefined };

// Without a quote, the prompt still appears and states that the fee is unknown.
const createUnavailableQuote =
  (reads: Reads) =>
  (error: unknown): QuoteResult => {
    if (!(error instanceof ServiceError) || error.code === 'RECONNECT_NEEDED') throw error;
    const quote = { state: 'unavailable' as const, reason: error.message };
    return {
      answer: { quote, feeNotice: { confirmedSites: [...reads.confirmedSites()] } },
      quotedAt: reads.now(),
      says: error.says,
    };
  };

/** `repair` means that the publish repairs the account first. */
const formatPublishButton = ({ state, totalMinor, currency }: PromptMoney, act: 'publish' | 'repair'): Message => {
  if (state === 'free') return createMessage(`prompts.${act}Free`);
  return state === 'fee' && totalMinor !== null
    ? createMessage(`prompts.${act}For`, { fee: { minor: totalMinor, currency } })
    : createMessage(`prompts.${act}Unknown`);
};
