import * as z from 'zod';
import { routes, type InputOf, type RouteName } from '../../../src/contract/index.ts';
import type { TestPerson, TestPractice } from '../practice.ts';
import { connectCorner } from './channels.ts';

/** A practice service, and a person who may do everything. */
export type Scene = { practice: TestPractice; ann: TestPerson };

/** A call that succeeds. `key` is set if a key other than Ann's must make the call. */
export type Good<N extends RouteName = RouteName> = InputOf<N> & { key?: string };

/** The same without its route's types. */
export const sendable = z.object({
  key: z.string().optional(),
  params: z.record(z.string(), z.string()).optional(),
  query: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
});

type Maker<N extends RouteName> = (scene: Scene) => Good<N> | Promise<Good<N>>;

const of = (listingId: string) => ({ params: { listingId } });
const draft = async ({ practice, ann }: Scene) => of(await practice.draft(ann.agentKey));
const written = async ({ practice, ann }: Scene) => of(await practice.written(ann.agentKey));
const live = async ({ practice, ann }: Scene) => of(await practice.live(ann.agentKey));
const self = ({ ann }: Scene) => ({ params: { userId: ann.userId } });
const nothing = () => ({});

/** Creates a generated listing with a confirmed fee notice for its site. */
const publishable = async (scene: Scene) => {
  const made = await written(scene);
  const path = `/listings/${made.params.listingId}/channels/fees`;
  await scene.practice.call(scene.ann.agentKey, 'POST', path, { action: 'confirm' });
  return made;
};

const ended = async (scene: Scene) => {
  const made = await live(scene);
  await scene.practice.call(scene.ann.agentKey, 'POST', `/market/end/${made.params.listingId}`, {});
  return made;
};

const failed = async ({ practice, ann }: Scene) => {
  await practice.control('POST', '/writer', { fail: 'IMAGES_UNREADABLE' });
  const made = of(await practice.written(ann.agentKey));
  await practice.control('POST', '/writer', {});
  return made;
};

const template = async ({ practice, ann }: Scene) => {
  const made = await practice.call(ann.agentKey, 'POST', '/market/templates/create', { name: 'Books' });
  return { params: { templateId: z.looseObject({ templateId: z.string() }).parse(made.body).templateId } };
};

/** Connects Ann to the second channel through its link. */
const connection = async ({ practice, ann }: Scene) => {
  await connectCorner(practice, ann.agentKey);
  const { connections } = z
    .looseObject({ connections: z.array(z.looseObject({ connectionId: z.string() })) })
    .parse((await practice.call(ann.agentKey, 'GET', '/channels/connections')).body);
  return { params: { channelId: 'corner', connectionId: connections[0]?.connectionId ?? '' } };
};

const notification = async ({ practice, ann }: Scene) => {
  await practice.written(ann.agentKey);
  const { notifications } = routes.listNotifications.answer.parse(
    (await practice.call(ann.agentKey, 'GET', '/notifications')).body,
  );
  return { params: { notifId: notifications[0]?.notifId ?? '' } };
};

const onCorner = async (scene: Scene) => {
  await connection(scene);
  const made = await live(scene);
  const path = `/listings/${made.params.listingId}/channels/publish`;
  await scene.practice.call(scene.ann.agentKey, 'POST', path, { channels: ['corner'] });
  return { ...made, body: { channels: ['corner'] } };
};

let addresses = 0;
const signIn = async ({ practice }: Scene) => {
  addresses += 1;
  const email = `starter-${addresses}@example.com`;
  const start = await practice.call(null, 'POST', '/agent/auth/start', { email, agentLabel: 'Conformance' });
  const [mail] = z.array(z.object({ code: z.string() })).parse(await practice.control('GET', `/outbox?email=${email}`));
  return {
    body: { challengeId: routes.startSignIn.answer.parse(start.body).challengeId, email, code: mail?.code ?? '' },
  };
};

const keyOf = async ({ practice }: Scene, options = {}) => ({ key: (await practice.person(options)).agentKey });

/** A good input for every route. A route without an input does not compile. */
export const goodInputs: { [N in RouteName]: Maker<N> } = {
  readAccount: nothing,
  readUser: self,
  updateUser: (scene) => ({ ...self(scene), body: { name: 'Ann', autoDelistDefault: false } }),
  readUserNotificationPreferences: self,
  updateUserNotificationPreferences: (scene) => ({ ...self(scene), body: { news: true } }),
  listNotifications: () => ({ query: { limit: 5 } }),
  readNotification: notification,
  markNotificationsViewed: () => ({ body: {} }),
  readPushPreferences: nothing,
  updatePushPreferences: () => ({ body: { sales: true } }),
  readReferrals: nothing,

  listChannels: nothing,
  listListings: () => ({ query: { status: 'draft', limit: 5 } }),
  createListing: () => ({
    headers: { 'idempotency-key': 'conformance' },
    body: {
      additionalContext: 'A book',
      quantity: 2,
      marketplaceId: 'MKT_DE',
      listingLanguage: 'de-DE',
      templateId: null,
    },
  }),
  requestUploads: async (scene) => ({
    body: { listingId: (await draft(scene)).params.listingId, files: [{ contentType: 'image/webp', index: 1 }] },
  }),
  readListing: draft,
  updateListing: async (scene) => ({ ...(await written(scene)), body: { title: 'Rivers', price: 900, quantity: 2 } }),
  deleteListing: written,
  generateListing: async (scene) => ({ ...(await draft(scene)), body: { intent: 'initial' } }),
  relistListing: ended,
  setListingVisibility: async (scene) => ({ ...(await draft(scene)), body: { visible: false } }),
  revertListing: failed,
  readListingChannels: live,
  publishChannels: async (scene) => ({ ...(await publishable(scene)), body: { channels: ['market'] } }),
  reviseChannels: async (scene) => ({ ...(await live(scene)), body: { price: 1_000 } }),
  endChannels: live,
  deleteFromChannels: onCorner,
  quoteFees: async (scene) => ({ ...(await written(scene)), body: { action: 'quote' } }),

  readMarketAuthUrl: nothing,
  disconnectMarket: (scene) => keyOf(scene, { connected: true }),
  readMarketStatus: nothing,
  acknowledgeReadiness: () => ({ body: {} }),
  listMarketAccounts: nothing,
  readRateLimits: nothing,
  publishListing: async (scene) => ({ ...(await publishable(scene)), body: { autoDelistOnSale: true } }),
  reviseListing: async (scene) => ({ ...(await live(scene)), body: { price: 1_000, sku: 'S-1' } }),
  endListing: live,
  hydrateListing: live,
  listPolicies: () => ({ query: { marketplaceId: 'MKT_US' } }),
  bootstrapPolicies: () => ({ body: { marketplaceId: 'MKT_FR' } }),
  readSellerDefaults: nothing,
  updateSellerDefaults: () => ({ body: { location: { country: 'US', postalCode: '94107' } } }),
  searchCategories: () => ({ query: { q: 'book', limit: 5 } }),
  listCategoryConditions: () => ({ query: { categoryId: '1001' } }),
  searchComps: () => ({ query: { q: 'rivers', categoryId: '1001', limit: 5 } }),
  listTemplates: nothing,
  createTemplate: () => ({ body: { name: 'Shirts' } }),
  validateTemplate: () => ({ body: { name: 'Shoes', marketplaceId: 'MKT_US' } }),
  updateTemplate: async (scene) => ({ ...(await template(scene)), body: { name: 'All books' } }),
  deleteTemplate: template,

  readInsightsSummary: () => ({ query: { from: '2026-01-01', to: '2026-12-31' } }),
  readInventory: nothing,
  readItemSales: nothing,
  readDaySales: () => ({ query: { day: '2026-11-21' } }),

  createCheckoutToken: async (scene) => ({ ...(await keyOf(scene)), body: { tier: 'lite', trial: true } }),
  readSubscription: nothing,
  listInvoices: nothing,
  createCheckout: async (scene) => ({ ...(await keyOf(scene)), body: { tier: 'pro' } }),
  createPortal: nothing,
  checkPromoCode: () => ({ body: { code: 'PRACTICE10' } }),
  setExtras: async (scene) => ({
    ...(await keyOf(scene, { plan: 'Lite' })),
    body: { enabled: true, acknowledgedRateCents: 60 },
  }),
  approveExtras: async (scene) => ({
    ...(await keyOf(scene, { plan: 'Lite', extras: true })),
    body: { count: 3, rateCents: 60 },
  }),
  readCredits: nothing,
  listProducts: nothing,

  listConnections: nothing,
  deleteConnection: connection,
  connectChannel: () => ({ params: { channelId: 'corner' } }),
  readConnectionOptions: connection,

  readIndex: nothing,
  readIndexJson: nothing,
  readGuide: nothing,
  readRoutes: nothing,
  readOpenApi: nothing,
  listPlans: nothing,
  startSignIn: () => ({ body: { email: 'first@example.com', agentLabel: 'Conformance', name: 'First' } }),
  verifySignIn: signIn,
  readStanding: nothing,
  listKeys: nothing,
  revokeCurrentKey: keyOf,
  sendContact: () => ({ body: { message: 'Hello', email: 'ann@example.com' } }),
};

const unknownSite = [{ query: { marketplaceId: 'MKT_ZZ' } }];
const noPeriod = [{ query: { month: '2026-01' } }, { query: { from: '2026-02-01', to: '2026-01-01' } }];

/** Inputs with a valid shape that a rule of their route refuses. */
export const badByRule: Partial<Record<RouteName, z.infer<typeof sendable>[]>> = {
  updateUser: [{ body: { email: 'other@example.com' } }, { body: { password: 'secret' } }],
  updateUserNotificationPreferences: [{ body: { news: 'often' } }],
  updatePushPreferences: [{ body: { sales: 1 } }],
  listNotifications: [{ query: { cursor: 'x' } }],
  listListings: [{ query: { cursor: 'x' } }],
  createListing: [{ body: { marketAccountId: 'mac_none' }, headers: {} }],
  publishChannels: [{ body: { channels: ['nowhere'] } }, { body: { channels: [] } }],
  reviseChannels: [{ body: {} }, { body: { price: 'much' } }],
  endChannels: [{ body: { channels: ['nowhere'] } }],
  deleteFromChannels: [{ body: { channels: ['market'] } }, { body: {} }],
  quoteFees: [{ body: { action: 'confirm', marketplaceId: 'MKT_ZZ' } }],
  reviseListing: [{ body: {} }, { body: { condition: 'NEW' } }],
  listPolicies: unknownSite,
  bootstrapPolicies: [{ body: { marketplaceId: 'MKT_ZZ' } }, { body: { postage: 'free' } }],
  updateSellerDefaults: [{ body: { location: { country: 'US', postalCode: 'nowhere' } } }],
  searchCategories: unknownSite,
  listCategoryConditions: [{ query: {} }, { query: { categoryId: '1001', marketplaceId: 'MKT_ZZ' } }],
  searchComps: unknownSite,
  createTemplate: [{ body: {} }, { body: { name: '' } }, { body: { name: 'Mine', marketplaceId: 'MKT_ZZ' } }],
  updateTemplate: [{ body: { name: '' } }],
  readInsightsSummary: noPeriod,
  readItemSales: noPeriod,
  readDaySales: [{ query: { date: '2026-11-21' } }],
  createCheckoutToken: [{ body: { tier: 'gold' } }, { body: { tier: 'pro', trial: true } }],
  createCheckout: [{ body: {} }],
  checkPromoCode: [{ body: {} }],
  connectChannel: [{ params: { channelId: 'market' } }],
  sendContact: [{ body: { message: 'Hello' } }, { body: { email: 'ann@example.com' } }],
};
