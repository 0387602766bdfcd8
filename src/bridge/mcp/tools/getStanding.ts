import * as z from 'zod';
import { standing } from '../../../contract/index.ts';
import { cents, asCode, nextStep, untrusted } from '../fields.ts';
import { hints, tool, type ToolContext } from '../tool.ts';

const marketStatus = z.looseObject({
  connected: z.boolean(),
  ready: z.boolean().nullish(),
  missing: z.array(z.unknown()).nullish(),
  marketplaceId: z.string().nullish(),
});

const standingOutput = z.object({
  plan: z.string().nullable(),
  remaining: z.int().describe('Listings left in this period.'),
  credits: z.int(),
  resetsAt: z.string().nullable(),
  nextListing: z.string().nullable().describe('What the next listing draws on: plan, credit or a paid extra.'),
  extras: z
    .object({ available: z.boolean(), enabled: z.boolean(), rateCents: cents.nullable(), approvedRemaining: z.int() })
    .nullable(),
  market: z.object({
    connected: z.boolean(),
    ready: z.boolean().nullable(),
    marketplaceId: z.string().nullable(),
    missing: z.array(z.string()),
  }),
  you: z.looseObject({}).describe('What the person lets you do here: your name, budgets and folders.'),
  tellThePerson: z.array(z.object({ code: z.string().nullable(), untrustedText: untrusted.nullable() })),
  nextStep,
});

const readBody = async (context: ToolContext, route: 'readStanding' | 'readMarketStatus'): Promise<unknown> => {
  const answer = await context.api.call({ by: context.by, route, input: {}, signal: context.signal });
  return answer.state === 'done' ? answer.body : null;
};

const nextStepOf = (connected: boolean, remaining: number): string => {
  if (!connected)
    return 'Ask the person to connect the marketplace in Listing Companion; drafts can be made meanwhile.';
  return remaining > 0
    ? 'Go on with create_listing_from_photos or list_listings.'
    : 'No listing is left in this period. Tell the person before you start one.';
};

export const getStanding = tool({
  name: 'get_standing',
  title: 'Read the standing',
  description:
    'Read plan, listings left, credits, next steps, the marketplace connection and what the person lets you do. Call it once a conversation; not before every step.',
  input: z.object({}),
  output: standingOutput,
  decides: ['remaining', 'credits', 'market', 'nextStep'],
  hints: hints.reads,
  run: async (_input, context) => {
    const [standingBody, marketBody] = await Promise.all([
      readBody(context, 'readStanding'),
      readBody(context, 'readMarketStatus'),
    ]);
    const { allowance, plan, nextSteps } = standing.parse(standingBody);
    const market = marketStatus.parse(marketBody);
    const { extras } = allowance;
    return {
      plan: asCode(plan?.code ?? plan?.name),
      remaining: allowance.remaining,
      credits: allowance.creditBalance,
      resetsAt: asCode(allowance.resetsAt),
      nextListing: asCode(allowance.nextListing?.kind),
      extras: extras
        ? {
            available: extras.available ?? false,
            enabled: extras.enabled ?? false,
            rateCents: extras.rateCents ?? null,
            approvedRemaining: extras.approval?.remaining ?? 0,
          }
        : null,
      market: {
        connected: market.connected,
        ready: market.ready ?? null,
        marketplaceId: asCode(market.marketplaceId),
        missing: (market.missing ?? []).flatMap((one) => asCode(one) ?? []),
      },
      you: context.api.me(context.by),
      tellThePerson: (nextSteps ?? []).map((one) => ({
        code: asCode(one.code),
        untrustedText: one.tellThePerson ?? null,
      })),
      nextStep: nextStepOf(market.connected, allowance.remaining),
    };
  },
  summarize: ({ remaining, market }) =>
    `${remaining} listings left; the marketplace is ${market.connected ? 'connected' : 'not connected'}.`,
});
