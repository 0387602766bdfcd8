import {
  type AnswerOf,
  parseNamedChannels,
  isPlainRecord,
  excludesMarketplace,
  limits,
  findMaxTitleLength,
  marketChannel,
  plans,
  type RouteName,
  type Standing,
} from '../../../contract/index.ts';
import { getRequestBody, getRequestParams, toRecordOrEmpty } from '../../base/json.ts';
import { Problem, createProblem } from '../../base/problem.ts';
import { findLivePlan, listLivePlans, findTierField } from '../prompts/account.ts';
import { refuseUnconnectedChannels, refuseUnknownChannels } from '../prompts/channels.ts';
import type { KnownState, KnownRead } from './knownReads.ts';

type CheckedRequest = { params: Record<string, unknown>; body: Record<string, unknown> };

/** Returns why the service would refuse a request; null if nothing is known to be wrong. */
type Rule = (asked: CheckedRequest, known: KnownState) => Problem | null | Promise<Problem | null>;

/** Returns the part of a request that a rule checks. If it is not a string, the rule does not apply. */
type SelectPart = (asked: CheckedRequest) => unknown;

const createReadRule =
  <N extends KnownRead>(
    read: N,
    about: SelectPart,
    refusal: (part: string, answer: AnswerOf<N>, asked: CheckedRequest) => Problem | null,
  ): Rule =>
  async (asked, known) => {
    const part = about(asked);
    if (typeof part !== 'string') return null;
    const findRefusal = (answer: AnswerOf<N> | null): Problem | null =>
      answer === null ? null : refusal(part, answer, asked);
    if (findRefusal(await known.readAnswer(read)) === null) return null;
    // Only a fresh answer can refuse a request, because the record might have been created after the cached answer.
    return findRefusal(await known.readAnswer(read, limits.pollMs.least));
  };

const parseRecordsWithId = (answer: unknown, list: string, idField: string): Record<string, unknown>[] | null => {
  const records = isPlainRecord(answer) ? answer[list] : answer;
  if (!Array.isArray(records)) return null;
  return records.every(
    (record): record is Record<string, unknown> => isPlainRecord(record) && typeof record[idField] === 'string',
  )
    ? records
    : null;
};

/** A malformed list does not prove that the record is missing. */
const isRecordMissing = (answer: unknown, list: string, idField: string, id: string): boolean =>
  parseRecordsWithId(answer, list, idField)?.every((record) => record[idField] !== id) ?? false;

const checkOwnUser: Rule = ({ params }, known) => {
  const own = known.connectedUserId();
  return own === null || params['userId'] === own ? null : createProblem('NOT_YOURS', { field: 'userId' });
};

const checkAccountConnected = createReadRule(
  'listMarketAccounts',
  ({ body }) => body['marketAccountId'],
  (id, answer) =>
    isRecordMissing(answer, 'accounts', 'marketAccountId', id)
      ? createProblem('INVALID_REQUEST.unknownAccount', { field: 'marketAccountId' })
      : null,
);

const checkTemplateExists = createReadRule(
  'listTemplates',
  ({ params }) => params['templateId'],
  (id, answer) =>
    isRecordMissing(answer, 'templates', 'templateId', id)
      ? createProblem('NOT_FOUND.template', { field: 'templateId' })
      : null,
);

const checkConnectionExists = createReadRule(
  'listConnections',
  ({ params }) => params['connectionId'],
  (id, answer, { params }) => {
    const records = parseRecordsWithId(answer, 'connections', 'connectionId');
    const matchesConnection = ({ connectionId, channelId }: Record<string, unknown>): boolean =>
      connectionId === id && (typeof channelId !== 'string' || channelId === params['channelId']);
    return records === null || records.some(matchesConnection)
      ? null
      : createProblem('NOT_FOUND.connection', { field: 'connectionId' });
  },
);

/** A request that names no channels is for the marketplace, so the title must fit there. */
const checkTitleLength = createReadRule(
  'listChannels',
  ({ body }) => body['title'],
  (title, answer, { body }) => {
    const count = [...title].length;
    const most = (parseNamedChannels(body) ?? [marketChannel])
      .map((channelId) => findMaxTitleLength(answer, channelId))
      .find((longest) => longest !== null && count > longest);
    return typeof most === 'number'
      ? createProblem('INVALID_REQUEST.titleTooLong', { field: 'title', values: { count, most } })
      : null;
  },
);

/** `own`: the account pays the service. `store`: the account pays an app store. Null: unknown. */
const getSubscriptionKind = ({ plan, upgrade }: Standing): 'none' | 'own' | 'store' | null => {
  const how = toRecordOrEmpty(upgrade?.how);
  const { path } = { ...how, ...toRecordOrEmpty(how['call']) };
  if (how['openApp'] !== undefined && how['openApp'] !== false) return 'store';
  if (typeof path === 'string' && path.endsWith('/subscriptions/portal')) return 'own';
  if (typeof plan?.code !== 'string') return null;
  return plan.code.toLowerCase() === plans[0].code ? 'none' : 'own';
};

const selectAlways: SelectPart = () => '';

const checkNotSubscribed = createReadRule('readStanding', selectAlways, (_part, standing) => {
  const subscription = getSubscriptionKind(standing);
  if (subscription === 'store') return createProblem('STORE_MANAGED');
  return subscription === 'own' ? createProblem('ALREADY_SUBSCRIBED') : null;
});

const checkSubscribed = createReadRule('readStanding', selectAlways, (_part, standing) => {
  const subscription = getSubscriptionKind(standing);
  if (subscription === 'store') return createProblem('STORE_MANAGED');
  return subscription === 'none' ? createProblem('NO_SUBSCRIPTION') : null;
});

const selectTier: SelectPart = ({ body }) => body[findTierField(body) ?? ''];

const findDocumentedPlanCode = (tier: string): string | undefined =>
  plans.find(({ code }) => code === tier.toLowerCase())?.code;

const checkPlanIsSold = createReadRule('listPlans', selectTier, (tier, answer, { body }) => {
  const plan = findLivePlan(answer, tier);
  const isFree = findDocumentedPlanCode(tier) === plans[0].code || plan?.['priceCents'] === 0;
  const isKnown = plan !== null || findDocumentedPlanCode(tier) !== undefined || listLivePlans(answer).length === 0;
  return isKnown && !isFree
    ? null
    : createProblem('INVALID_REQUEST.noSuchPlan', { field: findTierField(body) ?? 'tier' });
});

/** The trial exists for one plan only, and the service offers it to some accounts only. */
const checkTrialOffered = createReadRule(
  'readStanding',
  (asked) => (asked.body['trial'] === true ? selectTier(asked) : undefined),
  (tier, { upgrade }) => {
    const own = findDocumentedPlanCode(tier);
    return (own !== undefined && own !== limits.trial.plan) || upgrade?.offerTrial === false
      ? createProblem('INVALID_REQUEST.noTrial', { field: 'trial' })
      : null;
  },
);

const checkoutRules = [checkNotSubscribed, checkPlanIsSold, checkTrialOffered];

const rulesByRoute: Partial<Record<RouteName, readonly Rule[]>> = {
  updateUser: [checkOwnUser],
  updateUserNotificationPreferences: [checkOwnUser],
  publishListing: [checkAccountConnected],
  publishChannels: [checkAccountConnected],
  quoteFees: [checkAccountConnected],
  reviseListing: [checkTitleLength],
  reviseChannels: [checkTitleLength],
  updateTemplate: [checkTemplateExists],
  deleteTemplate: [checkTemplateExists],
  deleteConnection: [checkConnectionExists],
  createCheckoutToken: checkoutRules,
  createCheckout: checkoutRules,
  createPortal: [checkSubscribed],
};

const checkMarketConnected = createReadRule(
  'readMarketStatus',
  ({ body }) => (excludesMarketplace(body) ? undefined : ''),
  (_part, { connected }) => (connected ? null : createProblem('WRONG_STATE.marketGone')),
);

const checkChannelsConnected: Rule = async ({ body }, known) => {
  const named = parseNamedChannels(body) ?? [];
  const list = await known.readAnswer('listChannels');
  try {
    refuseUnknownChannels(named, list);
    refuseUnconnectedChannels(named, list, await known.readAnswer('listConnections'));
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
};

/**
 * Rules that are checked only for pending prompts, because their facts can change while a prompt is pending. A new
 * prompt does not need these rules: it has just read these facts.
 */
const pendingRulesByRoute: Partial<Record<RouteName, readonly Rule[]>> = {
  publishListing: [checkMarketConnected],
  publishChannels: [checkMarketConnected, checkChannelsConnected],
  reviseListing: [checkMarketConnected],
  reviseChannels: [checkMarketConnected],
  disconnectMarket: [checkMarketConnected],
};

/** Throws a `Problem` if known facts show that the service would now refuse a pending request. */
export const refusePendingRequest = async (route: RouteName, input: unknown, known: KnownState): Promise<void> => {
  const asked = { params: getRequestParams(input), body: toRecordOrEmpty(getRequestBody(input)) };
  for (const judge of [...(rulesByRoute[route] ?? []), ...(pendingRulesByRoute[route] ?? [])]) {
    const refusal = await judge(asked, known);
    if (refusal !== null) throw refusal;
  }
};

/** Throws a `Problem` if known facts show that the service would refuse the request. */
export const refuseNewRequest = async (route: RouteName, input: unknown, known: KnownState): Promise<void> => {
  const asked = { params: getRequestParams(input), body: toRecordOrEmpty(getRequestBody(input)) };
  for (const judge of rulesByRoute[route] ?? []) {
    const refusal = await judge(asked, known);
    if (refusal !== null) throw refusal;
  }
};
