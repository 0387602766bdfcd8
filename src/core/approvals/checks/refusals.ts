import {
  type AnswerOf,
  channelsNamed,
  isPlainRecord,
  leavesMarketplace,
  limits,
  longestTitleIn,
  marketChannel,
  plans,
  type RouteName,
  type Standing,
} from '../../../contract/index.ts';
import { bodyOf, paramsOf, recordOf } from '../../base/json.ts';
import { Problem, problem } from '../../base/problem.ts';
import { livePlan, plansIn, tierFieldIn } from '../prompts/account.ts';
import { refuseUnconnected, refuseUnknown } from '../prompts/channels.ts';
import type { Known, KnownRead } from './knownReads.ts';

/** A request as a rule sees it. Rules read single fields; the schema checks the rest of the body. */
type Asked = { params: Record<string, unknown>; body: Record<string, unknown> };

/**
 * Returns what is wrong with a request, judged by what is known of the service; null if nothing is wrong or it is unknown.
 */
type Rule = (asked: Asked, known: Known) => Problem | null | Promise<Problem | null>;

/** Returns the part of a request that a rule judges; if undefined, the rule reads nothing. */
type About = (asked: Asked) => unknown;

const rule =
  <N extends KnownRead>(
    read: N,
    about: About,
    refusal: (part: string, answer: AnswerOf<N>, asked: Asked) => Problem | null,
  ): Rule =>
  async (asked, known) => {
    const part = about(asked);
    if (typeof part !== 'string') return null;
    const judge = (answer: AnswerOf<N> | null): Problem | null =>
      answer === null ? null : refusal(part, answer, asked);
    if (judge(await known.answer(read)) === null) return null;
    // A cached answer may accept a request, but only a fresh one may refuse it: the record may have been created elsewhere
    // since.
    return judge(await known.answer(read, limits.pollMs.least));
  };

/** Returns the records of a list; null if the answer is not a list of records with such an id. */
const recordsWith = (answer: unknown, list: string, idField: string): Record<string, unknown>[] | null => {
  const records = isPlainRecord(answer) ? answer[list] : answer;
  if (!Array.isArray(records)) return null;
  return records.every((one): one is Record<string, unknown> => isPlainRecord(one) && typeof one[idField] === 'string')
    ? records
    : null;
};

/** Whether a well-formed list contains no record with that id. */
const isMissing = (answer: unknown, list: string, idField: string, id: string): boolean =>
  recordsWith(answer, list, idField)?.every((one) => one[idField] !== id) ?? false;

const ofSelf: Rule = ({ params }, known) => {
  const own = known.userId();
  return own === null || params['userId'] === own ? null : problem('NOT_YOURS', { field: 'userId' });
};

const accountIsConnected = rule(
  'listMarketAccounts',
  ({ body }) => body['marketAccountId'],
  (id, answer) =>
    isMissing(answer, 'accounts', 'marketAccountId', id)
      ? problem('INVALID_REQUEST.unknownAccount', { field: 'marketAccountId' })
      : null,
);

const templateIsThere = rule(
  'listTemplates',
  ({ params }) => params['templateId'],
  (id, answer) =>
    isMissing(answer, 'templates', 'templateId', id) ? problem('NOT_FOUND.template', { field: 'templateId' }) : null,
);

const connectionIsThere = rule(
  'listConnections',
  ({ params }) => params['connectionId'],
  (id, answer, { params }) => {
    const records = recordsWith(answer, 'connections', 'connectionId');
    const isThere = ({ connectionId, channelId }: Record<string, unknown>): boolean =>
      connectionId === id && (typeof channelId !== 'string' || channelId === params['channelId']);
    return records === null || records.some(isThere)
      ? null
      : problem('NOT_FOUND.connection', { field: 'connectionId' });
  },
);

/** If the request names no channels, its title goes to the marketplace. */
const titleFits = rule(
  'listChannels',
  ({ body }) => body['title'],
  (title, answer, { body }) => {
    const count = [...title].length;
    const most = (channelsNamed(body) ?? [marketChannel])
      .map((channelId) => longestTitleIn(answer, channelId))
      .find((longest) => longest !== null && count > longest);
    return typeof most === 'number'
      ? problem('INVALID_REQUEST.titleTooLong', { field: 'title', values: { count, most } })
      : null;
  },
);

/** Returns how an account pays for its plan: not at all, at the service, or in an app store; null if unknown. */
const subscriptionIn = ({ plan, upgrade }: Standing): 'none' | 'own' | 'store' | null => {
  const how = recordOf(upgrade?.how);
  const { path } = { ...how, ...recordOf(how['call']) };
  if (how['openApp'] !== undefined && how['openApp'] !== false) return 'store';
  if (typeof path === 'string' && path.endsWith('/subscriptions/portal')) return 'own';
  if (typeof plan?.code !== 'string') return null;
  return plan.code.toLowerCase() === plans[0].code ? 'none' : 'own';
};

const always: About = () => '';

const subscribesNotYet = rule('readStanding', always, (_part, standing) => {
  const subscription = subscriptionIn(standing);
  if (subscription === 'store') return problem('STORE_MANAGED');
  return subscription === 'own' ? problem('ALREADY_SUBSCRIBED') : null;
});

const subscribes = rule('readStanding', always, (_part, standing) => {
  const subscription = subscriptionIn(standing);
  if (subscription === 'store') return problem('STORE_MANAGED');
  return subscription === 'none' ? problem('NO_SUBSCRIPTION') : null;
});

const tierOf: About = ({ body }) => body[tierFieldIn(body) ?? ''];

/** Returns the plan of the interface with that code. */
const ownPlan = (tier: string): string | undefined => plans.find(({ code }) => code === tier.toLowerCase())?.code;

/** Checks for a paid plan of the live list, or of the interface. */
const planIsSold = rule('listPlans', tierOf, (tier, answer, { body }) => {
  const plan = livePlan(answer, tier);
  const isFree = ownPlan(tier) === plans[0].code || plan?.['priceCents'] === 0;
  const isKnown = plan !== null || ownPlan(tier) !== undefined || plansIn(answer).length === 0;
  return isKnown && !isFree ? null : problem('INVALID_REQUEST.noSuchPlan', { field: tierFieldIn(body) ?? 'tier' });
});

/** The trial exists for one plan, and only some accounts are offered it. */
const trialIsOffered = rule(
  'readStanding',
  (asked) => (asked.body['trial'] === true ? tierOf(asked) : undefined),
  (tier, { upgrade }) => {
    const own = ownPlan(tier);
    return (own !== undefined && own !== limits.trial.plan) || upgrade?.offerTrial === false
      ? problem('INVALID_REQUEST.noTrial', { field: 'trial' })
      : null;
  },
);

const checkout = [subscribesNotYet, planIsSold, trialIsOffered];

/** The rules that are checked before the person is asked, by route. */
const rules: Partial<Record<RouteName, readonly Rule[]>> = {
  updateUser: [ofSelf],
  updateUserNotificationPreferences: [ofSelf],
  publishListing: [accountIsConnected],
  publishChannels: [accountIsConnected],
  quoteFees: [accountIsConnected],
  reviseListing: [titleFits],
  reviseChannels: [titleFits],
  updateTemplate: [templateIsThere],
  deleteTemplate: [templateIsThere],
  deleteConnection: [connectionIsThere],
  createCheckoutToken: checkout,
  createCheckout: checkout,
  createPortal: [subscribes],
};

const marketIsConnected = rule(
  'readMarketStatus',
  ({ body }) => (leavesMarketplace(body) ? undefined : ''),
  (_part, { connected }) => (connected ? null : problem('WRONG_STATE.marketGone')),
);

const channelsAreConnected: Rule = async ({ body }, known) => {
  const named = channelsNamed(body) ?? [];
  const list = await known.answer('listChannels');
  try {
    refuseUnknown(named, list);
    refuseUnconnected(named, list, await known.answer('listConnections'));
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
};

/** Rules for what may change while a prompt is pending. Before that, the reads for the prompt find it. */
const laterRules: Partial<Record<RouteName, readonly Rule[]>> = {
  publishListing: [marketIsConnected],
  publishChannels: [marketIsConnected, channelsAreConnected],
  reviseListing: [marketIsConnected],
  reviseChannels: [marketIsConnected],
  disconnectMarket: [marketIsConnected],
};

/** Throws if the service would now refuse a pending request, as far as that is known. */
export const refuseByNow = async (route: RouteName, input: unknown, known: Known): Promise<void> => {
  const asked = { params: paramsOf(input), body: recordOf(bodyOf(input)) };
  for (const judge of [...(rules[route] ?? []), ...(laterRules[route] ?? [])]) {
    const refusal = await judge(asked, known);
    if (refusal !== null) throw refusal;
  }
};

/**
 * Throws if the service would refuse a request anyway, as far as that is known without sending it, so that the person is
 * not asked. What depends on the listing is refused when the listing is read for the prompt.
 */
export const refuseKnown = async (route: RouteName, input: unknown, known: Known): Promise<void> => {
  const asked = { params: paramsOf(input), body: recordOf(bodyOf(input)) };
  for (const judge of rules[route] ?? []) {
    const refusal = await judge(asked, known);
    if (refusal !== null) throw refusal;
  }
};
