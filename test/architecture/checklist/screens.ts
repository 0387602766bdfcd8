import type { ScreenId } from '../../../src/ipc/screens.ts';
import type { RouteName } from '../../../src/contract/index.ts';
import type { Scenario } from '../../helpers/fakes/fakeCompanion.ts';

/**
 * A control, identified by its role and accessible name, and by the region, form or dialog around it if the name is not
 * unique.
 */
export type Control = {
  role: 'button' | 'combobox' | 'group' | 'link' | 'list' | 'menuitem' | 'region' | 'switch' | 'table' | 'textbox';
  name: string;
  inside?: string;
};

/** The state of the window in which a control is expected. */
export type WindowState = {
  screen: ScreenId;
  hash: string;
  scenario?: Scenario;
  /** The state of the open listing. */
  status?: 'draft' | 'failed' | 'ended';
  /** Text to type before each press, by the labels of the fields that are visible then. */
  types?: Readonly<Record<string, string>>;
  press?: readonly Control[];
};

const button = (name: string, inside?: string): Control => ({ role: 'button', name, ...(inside ? { inside } : {}) });

/** A remote service whose key was revoked, so that the account must be connected again. */
const unconnected = {
  state: { connection: 'reconnect', service: { kind: 'remote', url: 'https://service.example' } },
} as const;

/** Each state is opened once for all routes that need it. */
export const windowStates = {
  account: { screen: 'account', hash: '#/account' },
  /** The service offers a trial only to a person on the free plan. */
  freePlan: {
    screen: 'account',
    hash: '#/account',
    scenario: { standing: { plan: { code: 'free', name: 'Free', photosPerListing: 4 } } },
  },
  realAccount: {
    screen: 'account',
    hash: '#/account',
    scenario: { state: { service: { kind: 'remote', url: 'https://service.example' } } },
  },
  /** A person who already pays changes the plan on the billing pages. */
  subscriber: {
    screen: 'account',
    hash: '#/account',
    scenario: { standing: { upgrade: { how: { path: '/subscriptions/portal' } } } },
  },
  connecting: { screen: 'account', hash: '#/account', scenario: unconnected, press: [button('Connect my account')] },
  codeSent: {
    screen: 'account',
    hash: '#/account',
    scenario: unconnected,
    press: [button('Connect my account'), button('E-mail me a code')],
    types: { 'E-mail': 'robin@example.org' },
  },
  items: { screen: 'items', hash: '#/', press: [button('For the next photos')] },
  review: {
    screen: 'items',
    hash: '#/items/fox',
    press: [button('Similar items'), button('Change category'), button('Adapt to another site…')],
  },
  reviewMenu: { screen: 'items', hash: '#/items/fox', press: [button('More', 'Item')] },
  draft: { screen: 'listings', hash: '#/listings/lst_fox', status: 'draft' },
  failed: { screen: 'listings', hash: '#/listings/lst_fox', status: 'failed' },
  ended: { screen: 'listings', hash: '#/listings/lst_fox', status: 'ended' },
  live: { screen: 'items', hash: '#/items/shoes' },
  liveEdit: { screen: 'items', hash: '#/items/shoes', press: [button('Edit live…')] },
  liveListing: { screen: 'listings', hash: '#/listings/lst_shoes' },
  onChannels: { screen: 'listings', hash: '#/listings/lst_shoes', scenario: { onCorner: true } },
  listings: { screen: 'listings', hash: '#/listings', press: [button('More')] },
  question: { screen: 'approvals', hash: '#/approvals', scenario: { waiting: ['publish'] } },
  insights: { screen: 'insights', hash: '#/insights' },
  selling: { screen: 'selling', hash: '#/selling' },
  template: { screen: 'selling', hash: '#/selling', press: [button('Edit Small ceramics')] },
  newTemplate: { screen: 'selling', hash: '#/selling', press: [button('New template')] },
  notConnected: { screen: 'selling', hash: '#/selling', scenario: { selling: { bare: true } } },
  notReady: {
    screen: 'selling',
    hash: '#/selling',
    scenario: { selling: { bare: true } },
    press: [button('Sign in at the marketplace…'), button('I’m back – check again')],
  },
  notifications: { screen: 'notifications', hash: '#/notifications' },
  help: { screen: 'help', hash: '#/help' },
} as const satisfies Record<string, WindowState>;

/**
 * The state and the controls with which a seller reaches a route, or why there are none. `reads`: the window calls the
 * route automatically in this state. `asks`: a press on the first control calls the route without further input.
 */
export type RouteControls =
  { at: keyof typeof windowStates; controls: readonly Control[]; reads?: true; asks?: true } | { none: string };

/** Routes of the section "Channels" of a listing. */
const channels = {
  setListingVisibility: { at: 'liveListing', controls: [button('Hide it', 'In your lists')], asks: true },
  readListingChannels: { at: 'onChannels', controls: [{ role: 'region', name: 'Channels' }], reads: true },
  publishChannels: {
    at: 'liveListing',
    controls: [
      button('Publish there…', 'Publish on more channels'),
      { role: 'combobox', name: 'Shelf on Corner shop (practice)', inside: 'Publish on more channels' },
    ],
    asks: true,
  },
  reviseChannels: { at: 'onChannels', controls: [button('Change there, on Corner shop (practice)…', 'Channels')] },
  endChannels: {
    at: 'onChannels',
    controls: [button('End there, on Corner shop (practice)…', 'Channels')],
    asks: true,
  },
  deleteFromChannels: {
    at: 'onChannels',
    controls: [button('Remove from Corner shop (practice)…', 'Channels')],
    asks: true,
  },
  hydrateListing: { at: 'onChannels', controls: [button('Refresh from the marketplace', 'Channels')], asks: true },
} as const satisfies Partial<Record<RouteName, RouteControls>>;

const forPrograms = 'A program reads it to learn the interface; it says nothing about this seller.';

/** Every route of the interface, with its controls. */
export const routeControls = {
  readAccount: { at: 'account', controls: [{ role: 'region', name: 'Profile at the service' }], reads: true },
  readUser: { at: 'account', controls: [{ role: 'textbox', name: 'Name' }], reads: true },
  updateUser: {
    at: 'account',
    controls: [
      { role: 'textbox', name: 'Name' },
      button('Choose a picture', 'Your picture'),
      { role: 'combobox', name: 'Language of the service' },
      { role: 'switch', name: 'Take sold items off my other channels' },
    ],
  },
  readUserNotificationPreferences: { at: 'account', controls: [{ role: 'group', name: 'By e-mail' }], reads: true },
  updateUserNotificationPreferences: {
    at: 'account',
    controls: [{ role: 'switch', name: 'News and offers', inside: 'By e-mail' }],
    asks: true,
  },
  listNotifications: { at: 'notifications', controls: [{ role: 'list', name: 'Notifications, newest first' }] },
  readNotification: { at: 'notifications', controls: [button('Mark as read')] },
  markNotificationsViewed: { none: 'They count as seen when the screen Notifications is opened.' },
  readPushPreferences: { at: 'account', controls: [{ role: 'group', name: 'On your phone' }], reads: true },
  updatePushPreferences: {
    at: 'account',
    controls: [{ role: 'switch', name: 'Weekly digest', inside: 'On your phone' }],
    asks: true,
  },
  readReferrals: { at: 'account', controls: [button('Copy: Referral link')], reads: true },

  listChannels: { at: 'selling', controls: [{ role: 'region', name: 'Other channels' }], reads: true },
  listListings: { at: 'listings', controls: [{ role: 'menuitem', name: 'Reload all' }] },
  createListing: {
    at: 'items',
    controls: [button('Choose photos'), button('Choose folders'), { role: 'combobox', name: 'Start with' }],
  },
  requestUploads: { at: 'items', controls: [button('Choose photos')] },
  readListing: { at: 'review', controls: [{ role: 'textbox', name: 'Title' }], reads: true },
  updateListing: {
    at: 'review',
    controls: [
      { role: 'textbox', name: 'Title' },
      { role: 'textbox', name: 'Price' },
      { role: 'combobox', name: 'Condition' },
    ],
  },
  deleteListing: { at: 'reviewMenu', controls: [{ role: 'menuitem', name: 'Discard…' }], asks: true },
  generateListing: { at: 'draft', controls: [button('Write the listing')], asks: true },
  relistListing: { at: 'ended', controls: [button('Bring back for review')], asks: true },
  revertListing: { at: 'failed', controls: [button('Take it back for review')], asks: true },
  quoteFees: { at: 'question', controls: [{ role: 'region', name: 'Marketplace fees' }] },

  readMarketAuthUrl: { at: 'notConnected', controls: [button('Sign in at the marketplace…')], asks: true },
  disconnectMarket: { at: 'selling', controls: [button('Disconnect…', 'Marketplace')], asks: true },
  readMarketStatus: { at: 'selling', controls: [button('Check again', 'Marketplace')], reads: true },
  acknowledgeReadiness: {
    at: 'notReady',
    controls: [button('Acknowledge what the marketplace requires…')],
    asks: true,
  },
  listMarketAccounts: {
    at: 'selling',
    controls: [{ role: 'combobox', name: 'Account for new listings' }],
    reads: true,
  },
  readRateLimits: { at: 'selling', controls: [{ role: 'region', name: 'Marketplace' }], reads: true },
  publishListing: { at: 'review', controls: [button('Publish…')], asks: true },
  reviseListing: { at: 'liveEdit', controls: [button('Change it live…')] },
  endListing: { at: 'live', controls: [button('End listing…', 'Item')], asks: true },
  listPolicies: { at: 'selling', controls: [{ role: 'region', name: 'Policies' }], reads: true },
  bootstrapPolicies: { at: 'selling', controls: [button('Create starter policies…')], asks: true },
  readSellerDefaults: { at: 'selling', controls: [{ role: 'textbox', name: 'Postcode' }], reads: true },
  updateSellerDefaults: { at: 'selling', controls: [button('Save the defaults…')] },
  searchCategories: { at: 'review', controls: [{ role: 'textbox', name: 'Find a category' }], reads: true },
  listCategoryConditions: { at: 'review', controls: [{ role: 'combobox', name: 'Condition' }], reads: true },
  searchComps: { at: 'review', controls: [{ role: 'region', name: 'Similar items' }], reads: true },
  listTemplates: { at: 'selling', controls: [{ role: 'region', name: 'Templates' }], reads: true },
  createTemplate: { at: 'newTemplate', controls: [button('Save the template…')] },
  validateTemplate: { at: 'newTemplate', controls: [button('Check')], asks: true },
  updateTemplate: { at: 'template', controls: [button('Save the template…')] },
  deleteTemplate: { at: 'selling', controls: [button('Delete Small ceramics…')], asks: true },

  readInsightsSummary: { at: 'insights', controls: [{ role: 'region', name: 'Sales' }], reads: true },
  readInventory: { at: 'insights', controls: [{ role: 'region', name: 'Inventory' }], reads: true },
  readItemSales: { at: 'insights', controls: [button('Show sales by item')], asks: true },
  readDaySales: { at: 'insights', controls: [button('Show the day')], asks: true },

  createCheckoutToken: { at: 'account', controls: [button('Choose the plan Business…')], asks: true },
  readSubscription: {
    none: 'Account shows plan, usage, credits and extras as GET /agent/me reports them, which may be asked for more often.',
  },
  listInvoices: { at: 'account', controls: [button('Show invoices')], asks: true },
  createCheckout: { none: 'A plan is chosen by POST /billing/external-checkout-token, whose page needs no sign-in.' },
  createPortal: { at: 'subscriber', controls: [button('Change the plan…', 'All plans')], asks: true },
  checkPromoCode: { at: 'account', controls: [button('Check the code')] },
  setExtras: { at: 'account', controls: [button('Turn extras off…')], asks: true },
  approveExtras: { at: 'account', controls: [button('Set aside extras…')], asks: true },
  readCredits: { none: 'Account shows the credits as GET /agent/me reports them, together with plan and extras.' },
  listProducts: { at: 'freePlan', controls: [button('Try it…')], reads: true },

  listConnections: { at: 'selling', controls: [button('Publishing options')], reads: true },
  deleteConnection: { at: 'selling', controls: [button('Disconnect Corner shop, Robin…')], asks: true },
  connectChannel: { at: 'notConnected', controls: [button('Connect Corner shop (practice)…')], asks: true },
  readConnectionOptions: { at: 'selling', controls: [button('Publishing options')], asks: true },

  readIndex: { none: forPrograms },
  readIndexJson: { none: forPrograms },
  readGuide: { none: forPrograms },
  readRoutes: { none: forPrograms },
  readOpenApi: { none: forPrograms },
  listPlans: { at: 'account', controls: [{ role: 'region', name: 'All plans' }], reads: true },
  startSignIn: {
    at: 'connecting',
    controls: [{ role: 'textbox', name: 'E-mail' }, { role: 'textbox', name: 'Your name' }, button('E-mail me a code')],
  },
  verifySignIn: { at: 'codeSent', controls: [{ role: 'textbox', name: '6-digit code' }, button('Connect')] },
  readStanding: { at: 'account', controls: [{ role: 'region', name: 'Plan and extras' }], reads: true },
  listKeys: {
    at: 'account',
    controls: [{ role: 'region', name: 'Assistants connected at the service' }],
    reads: true,
  },
  revokeCurrentKey: { at: 'realAccount', controls: [button('Disconnect…')], asks: true },
  sendContact: { at: 'help', controls: [button('Send…')] },
  ...channels,
} as const satisfies Record<RouteName, RouteControls>;
