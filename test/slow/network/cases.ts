import * as z from 'zod';
import { routeNames, getRouteByName, type RawInput, type RouteName } from '../../../src/contract/index.ts';
import { siteCurrencies } from '../../../src/contract/currency.ts';
import { goodInputs, sendable, type Scene } from '../../helpers/practice/goodInputs.ts';
import type { PersonOptions } from '../../helpers/practice.ts';

/** One kind of request: a route with an input, and whether the person is asked first. */
export type Case = {
  name: string;
  route: RouteName;
  asked: boolean;
  /** The effect in the service's journal, for routes whose effects differ from the number of calls. */
  mark?: 'draft' | 'fee_confirmed';
  /** The case needs a new input after every call, even if the call had no effect. */
  fresh?: true;
  /** The account that the case needs. */
  person?: PersonOptions;
  input: (scene: Scene) => Promise<RawInput>;
};

const createUsualInput =
  (route: RouteName) =>
  async (scene: Scene): Promise<RawInput> => {
    const { params, query, headers, body } = sendable.parse(await goodInputs[route](scene));
    return { ...(params && { params }), ...(query && { query }), ...(headers && { headers }), body };
  };

let counter = 0;
const countUp = (): number => (counter += 1);
const createListing = async ({ practice, ann }: Scene) => ({ listingId: await practice.written(ann.agentKey) });
const getUser = ({ ann }: Scene) => ({ userId: ann.userId });
const findUnconfirmedSite = async ({ practice, ann }: Scene): Promise<string> => {
  const { body } = await practice.call(ann.agentKey, 'GET', '/market/status');
  const { feeNotice } = z
    .looseObject({ feeNotice: z.looseObject({ confirmedSites: z.array(z.string()) }) })
    .parse(body);
  return Object.keys(siteCurrencies).find((one) => !feeNotice.confirmedSites.includes(one)) ?? '';
};

/** Inputs for routes whose usual input belongs to another person or would change nothing. */
const own: Partial<Record<RouteName, Omit<Case, 'name' | 'route' | 'asked'>>> = {
  // The input has no idempotency key, so the client adds one.
  generateListing: { fresh: true, input: createUsualInput('generateListing') },
  createListing: { mark: 'draft', input: async () => ({ body: { additionalContext: `Item ${countUp()}` } }) },
  updateUser: {
    input: async (scene) => ({ params: getUser(scene), body: { autoDelistDefault: true, name: `Ann ${countUp()}` } }),
  },
  reviseListing: {
    input: async ({ practice, ann }) => ({
      params: { listingId: await practice.live(ann.agentKey) },
      body: { price: 2_000 + countUp() },
    }),
  },
  updateSellerDefaults: {
    input: async () => ({ body: { location: { country: 'US', postalCode: String(10_000 + countUp()) } } }),
  },
  disconnectMarket: { person: { connected: true }, input: async () => ({ body: {} }) },
  createCheckoutToken: { person: { plan: 'Free' }, input: async () => ({ body: { tier: 'pro' } }) },
  createCheckout: { person: { plan: 'Free' }, input: async () => ({ body: { tier: 'pro', note: countUp() } }) },
  setExtras: { person: { plan: 'Lite', extras: true }, input: async () => ({ body: { enabled: false } }) },
  approveExtras: {
    person: { plan: 'Lite', extras: true },
    input: async () => ({ body: { count: 1, rateCents: 60 } }),
  },
  revokeCurrentKey: { input: async () => ({}) },
  updateTemplate: {
    input: async (scene) => ({
      ...(await createUsualInput('updateTemplate')(scene)),
      body: { name: `Books ${countUp()}` },
    }),
  },
};

/** Routes that need an approval only for some bodies. */
const others: Case[] = [
  {
    name: 'updateUser without an approval',
    route: 'updateUser',
    asked: false,
    input: async (scene) => ({ params: getUser(scene), body: { name: 'Ann' } }),
  },
  {
    name: 'updateListing with Best Offer',
    route: 'updateListing',
    asked: true,
    input: async (scene) => ({
      params: await createListing(scene),
      body: { bestOffer: { enabled: true, autoAcceptCents: 1_000 } },
    }),
  },
  {
    name: 'quoteFees that confirms the fee notice',
    route: 'quoteFees',
    asked: true,
    mark: 'fee_confirmed',
    input: async (scene) => ({
      params: await createListing(scene),
      body: { action: 'confirm', marketplaceId: await findUnconfirmedSite(scene) },
    }),
  },
];

/** The sign-in routes are tested in signIn.test.ts. */
const elsewhere: readonly RouteName[] = ['startSignIn', 'verifySignIn'];

export const cases: Case[] = [
  ...routeNames
    .filter((route) => !elsewhere.includes(route))
    .map((route) => ({
      name: route,
      route,
      asked: getRouteByName(route).askFirst === true || route === 'updateUser',
      input: createUsualInput(route),
      ...own[route],
    })),
  ...others,
];
