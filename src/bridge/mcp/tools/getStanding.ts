import * as z from 'zod';
import { matchRouteByPath, standing, type Standing } from '../../../contract/index.ts';
import { cents, toServiceCode, nextStep, untrusted } from '../fields.ts';
import { hints, defineTool, type ToolContext } from '../tool.ts';

const marketStatus = z.looseObject({
  connected: z.boolean(),
  ready: z.boolean().nullish(),
  missing: z.array(z.unknown()).nullish(),
  marketplaceId: z.string().nullish(),
});

const proposedCall = z
  .object({
    route: z.string(),
    params: z.record(z.string(), z.string()),
    query: z.record(z.string(), z.string()),
    body: z.record(z.string(), z.unknown()),
  })
  .describe('Arguments of call_service.');

const standingOutput = z.object({
  plan: z.string().nullable(),
  remaining: z.int().describe('Listings of the plan left in this period.'),
  credits: z.int().describe('Prepaid listings, used when the plan has none left.'),
  resetsAt: z.string().nullable(),
  nextListing: z.string().nullable().describe('What the next listing draws on: plan, credit or a paid extra.'),
  extras: z
    .object({ available: z.boolean(), enabled: z.boolean(), rateCents: cents.nullable(), approvedRemaining: z.int() })
    .nullable(),
  upgrade: z
    .object({
      recommended: z.boolean(),
      suggestedPlan: z.string().nullable(),
      offersTrial: z.boolean(),
      how: z.object({
        call: proposedCall.nullable(),
        opensApp: z.boolean(),
        untrustedTellThePerson: untrusted.nullable(),
      }),
    })
    .nullable(),
  market: z.object({
    connected: z.boolean(),
    ready: z.boolean().nullable(),
    marketplaceId: z.string().nullable(),
    missing: z.array(z.string()).describe('The codes of what keeps the person from publishing.'),
  }),
  you: z.looseObject({}).describe('What the person lets you do here: your name, budgets and folders.'),
  nextSteps: z
    .array(
      z.object({
        code: z.string().nullable(),
        untrustedTellThePerson: untrusted.nullable(),
        call: proposedCall.nullable(),
      }),
    )
    .describe('To be followed in order.'),
  nextStep,
});
type StandingOutput = z.input<typeof standingOutput>;

const readRouteBody = async (context: ToolContext, route: 'readStanding' | 'readMarketStatus'): Promise<unknown> => {
  const answer = await context.api.call({ by: context.by, route, input: {}, signal: context.signal });
  return answer.state === 'done' ? answer.body : null;
};

const namedCall = z.looseObject({
  method: z.string(),
  path: z.string().startsWith('/').max(500),
  body: z.record(z.string(), z.unknown()).nullish(),
});

/** Free text could be read as an instruction, so only codes, numbers and booleans are allowed. */
const hasNoFreeText = (value: unknown): boolean => {
  if (value === null || typeof value !== 'object') return typeof value !== 'string' || toServiceCode(value) !== null;
  return Object.entries(value).every(([name, part]) => toServiceCode(name) !== null && hasNoFreeText(part));
};

/**
 * Converts a call that the service suggests to arguments of `call_service`. Returns null if assistants may not make the
 * call, or if the call contains free text.
 */
const toProposedCall = (value: unknown): z.input<typeof proposedCall> | null => {
  const named = namedCall.safeParse(value);
  if (!named.success) return null;
  const { pathname, searchParams } = new URL(named.data.path, 'http://service.invalid');
  const match = matchRouteByPath(named.data.method.toUpperCase(), pathname);
  if (match.kind !== 'route') return null;
  const call = { params: match.params, query: Object.fromEntries(searchParams), body: named.data.body ?? {} };
  return hasNoFreeText(call) ? { route: match.name, ...call } : null;
};

const upgradeWay = z.looseObject({
  call: z.unknown().optional(),
  path: z.unknown().optional(),
  body: z.unknown().optional(),
  openApp: z.unknown().optional(),
  tellThePerson: z.string().nullish(),
});

/** If an offer contains only `body`, that is the body of a checkout request, as the interface defines. */
const toUpgradeOffer = ({ upgrade }: Standing): StandingOutput['upgrade'] => {
  const how = upgradeWay.safeParse(upgrade?.how);
  if (!upgrade || !how.success) return null;
  const { call, path, body, openApp, tellThePerson } = how.data;
  const checkout = { method: 'POST', path: '/billing/external-checkout-token', body };
  const named = call ?? (path === undefined && body !== undefined ? checkout : how.data);
  return {
    recommended: upgrade.recommended ?? false,
    suggestedPlan: toServiceCode(upgrade.suggestedPlan),
    offersTrial: upgrade.offerTrial ?? false,
    how: { call: toProposedCall(named), opensApp: Boolean(openApp), untrustedTellThePerson: tellThePerson ?? null },
  };
};

const toExtrasStanding = ({ allowance: { extras } }: Standing): StandingOutput['extras'] =>
  extras
    ? {
        available: extras.available ?? false,
        enabled: extras.enabled ?? false,
        rateCents: extras.rateCents ?? null,
        approvedRemaining: extras.approval?.remaining ?? 0,
      }
    : null;

const parseMissingCodes = (missing: readonly unknown[]): string[] =>
  missing.flatMap((one) => toServiceCode(z.object({ code: z.string() }).safeParse(one).data?.code ?? one) ?? []);

const resumeSentence = 'an item that stopped for this is resumed by the same call.';

/** Names the ways on when plan and credits have no listing left. */
const formatWaysOn = ({ extras, upgrade, resetsAt }: Omit<StandingOutput, 'nextStep'>): string => {
  const ways = [
    extras?.available
      ? 'paid extras at extras.rateCents each (setExtras with acknowledgedRateCents, then approveExtras, by call_service; the person confirms both)'
      : '',
    upgrade ? 'the plan that upgrade offers' : '',
    resetsAt === null ? '' : 'waiting until resetsAt',
  ].filter(Boolean);
  const named = ways.length === 0 ? '' : ` the ways on: ${ways.join('; ')}`;
  return `No listing is left in this period. Tell the person${named}. After that, go on with create_listing_from_photos; ${resumeSentence}`;
};

const publishLimit = z.object({ budget: z.object({ publishesPerDay: z.int(), publishesToday: z.int() }) });

const hasNoPublishLeft = (you: StandingOutput['you']): boolean => {
  const limit = publishLimit.safeParse(you).data?.budget;
  return limit !== undefined && limit.publishesToday >= limit.publishesPerDay;
};

const noPublishSentence =
  'No publish is left today: tell the person first that they allow you publishesPerDay in Listing Companion under Assistants. Listings can be prepared meanwhile. ';

const chooseNextStep = (answer: Omit<StandingOutput, 'nextStep'>): string =>
  `${hasNoPublishLeft(answer.you) ? noPublishSentence : ''}${chooseStepToList(answer)}`;

const chooseStepToList = (answer: Omit<StandingOutput, 'nextStep'>): string => {
  const { nextSteps, market, remaining, credits, nextListing } = answer;
  const first = nextSteps.length > 0 ? 'Follow nextSteps in order: tell the person each, and make its call. ' : '';
  if (!market.connected)
    return `${first}Ask the person to connect the marketplace in Listing Companion; drafts can be made meanwhile.`;
  if (nextListing === 'extras_approval_required')
    return `${first}The next listing is a paid extra: name extras.rateCents, and call approveExtras by call_service only for a number that the person names. After their yes, go on with create_listing_from_photos; ${resumeSentence}`;
  const has = remaining + credits > 0 || nextListing === 'extra';
  return has ? `${first}Go on with create_listing_from_photos or list_listings.` : `${first}${formatWaysOn(answer)}`;
};

export const getStanding = defineTool({
  name: 'get_standing',
  title: 'Read the standing',
  description:
    'Read plan, listings left, credits, next steps, the marketplace connection and what the person lets you do. Call it once a conversation; not before every step.',
  input: z.object({}),
  output: standingOutput,
  decides: ['remaining', 'credits', 'nextSteps', 'market', 'nextStep'],
  hints: hints.reads,
  run: async (_input, context) => {
    const [standingBody, marketBody] = await Promise.all([
      readRouteBody(context, 'readStanding'),
      readRouteBody(context, 'readMarketStatus'),
    ]);
    const read = standing.parse(standingBody);
    const { allowance, plan, nextSteps } = read;
    const market = marketStatus.parse(marketBody);
    const answer = {
      plan: toServiceCode(plan?.code ?? plan?.name),
      remaining: allowance.remaining,
      credits: allowance.creditBalance,
      resetsAt: toServiceCode(allowance.resetsAt),
      nextListing: toServiceCode(allowance.nextListing?.kind),
      extras: toExtrasStanding(read),
      upgrade: toUpgradeOffer(read),
      market: {
        connected: market.connected,
        ready: market.ready ?? null,
        marketplaceId: toServiceCode(market.marketplaceId),
        missing: parseMissingCodes(market.missing ?? []),
      },
      you: context.api.me(context.by),
      nextSteps: (nextSteps ?? []).map((one) => ({
        code: toServiceCode(one.code),
        untrustedTellThePerson: one.tellThePerson ?? null,
        call: toProposedCall(one.call),
      })),
    };
    return { ...answer, nextStep: chooseNextStep(answer) };
  },
  summarize: ({ remaining, credits, market }) =>
    `${remaining} of the plan left, ${credits} ${credits === 1 ? 'credit' : 'credits'}; the marketplace is ${market.connected ? 'connected' : 'not connected'}.`,
});
