import type { RawInput, RouteName } from '../../contract/index.ts';
import { core } from '../../i18n/english.ts';
import { createMessage, type Message, type TextName } from '../../i18n/message.ts';
import { getRequestBody, findListingId, toRecordOrEmpty } from '../base/json.ts';
import type { Changed, Clock } from '../base/ports.ts';

export type ActivityRow = {
  at: number;
  assistantId: string;
  name: string;
  what: Message;
  title: string | null;
  fields: readonly Message[];
  /** The HTTP status that the assistant received; 202 means that an approval is pending. */
  status: number;
  answeredFrom: 'service' | 'cache' | 'companion' | 'refused';
};

/** What each request does, in words. */
export const activityByRoute: Readonly<Record<RouteName, TextName<'activity'>>> = {
  readAccount: 'account',
  readUser: 'account',
  updateUser: 'changeAccount',
  readUserNotificationPreferences: 'account',
  updateUserNotificationPreferences: 'changeAccount',
  listNotifications: 'notices',
  readNotification: 'notices',
  markNotificationsViewed: 'notices',
  readPushPreferences: 'account',
  updatePushPreferences: 'changeAccount',
  readReferrals: 'account',
  listChannels: 'channels',
  listListings: 'listings',
  createListing: 'start',
  requestUploads: 'addPhotos',
  readListing: 'read',
  updateListing: 'edit',
  deleteListing: 'delete',
  generateListing: 'write',
  relistListing: 'bringBack',
  setListingVisibility: 'visibility',
  revertListing: 'takeBack',
  readListingChannels: 'whereOnSale',
  publishChannels: 'publish',
  reviseChannels: 'changeLive',
  endChannels: 'end',
  deleteFromChannels: 'removeFromChannels',
  quoteFees: 'fee',
  readMarketAuthUrl: 'connectMarket',
  disconnectMarket: 'disconnect',
  readMarketStatus: 'market',
  acknowledgeReadiness: 'terms',
  listMarketAccounts: 'market',
  readRateLimits: 'market',
  publishListing: 'publish',
  reviseListing: 'changeLive',
  endListing: 'end',
  hydrateListing: 'fetch',
  listPolicies: 'policies',
  bootstrapPolicies: 'makePolicies',
  readSellerDefaults: 'defaults',
  updateSellerDefaults: 'changeDefaults',
  searchCategories: 'categories',
  listCategoryConditions: 'categories',
  searchComps: 'comps',
  listTemplates: 'templates',
  createTemplate: 'changeTemplates',
  validateTemplate: 'templates',
  updateTemplate: 'changeTemplates',
  deleteTemplate: 'changeTemplates',
  readInsightsSummary: 'sales',
  readInventory: 'sales',
  readItemSales: 'sales',
  readDaySales: 'sales',
  createCheckoutToken: 'pay',
  readSubscription: 'plan',
  listInvoices: 'plan',
  createCheckout: 'pay',
  createPortal: 'pay',
  checkPromoCode: 'plan',
  setExtras: 'extras',
  approveExtras: 'extras',
  readCredits: 'plan',
  listProducts: 'plan',
  listConnections: 'channels',
  deleteConnection: 'disconnect',
  connectChannel: 'connectMarket',
  readConnectionOptions: 'channels',
  readIndex: 'guide',
  readIndexJson: 'guide',
  readGuide: 'guide',
  readRoutes: 'guide',
  readOpenApi: 'guide',
  listPlans: 'plan',
  startSignIn: 'signIn',
  verifySignIn: 'signIn',
  readStanding: 'plan',
  listKeys: 'keys',
  revokeCurrentKey: 'keys',
  sendContact: 'support',
};

const editActivities: ReadonlySet<TextName<'activity'>> = new Set([
  'edit',
  'changeLive',
  'changeAccount',
  'changeDefaults',
]);
const isFieldLabel = (name: string): name is TextName<'labels'> => Object.hasOwn(core.labels, name);

const listChangedFields = (what: TextName<'activity'>, input: RawInput): Message[] =>
  editActivities.has(what)
    ? Object.keys(toRecordOrEmpty(getRequestBody(input)))
        .filter(isFieldLabel)
        .map((name) => createMessage(`labels.${name}`))
    : [];

const maxRows = 300;
const announceEveryMs = 500;

type ActivityEntry = Pick<ActivityRow, 'assistantId' | 'name' | 'status' | 'answeredFrom'> & {
  route: RouteName;
  input: RawInput;
};
type StoredActivity = Omit<ActivityRow, 'title'> & { listingId: string | null };

type ActivityContext = {
  clock: Clock;
  changed: Changed;
  titleOf: (listingId: string) => string | null;
};

/** Creates the log of recent assistant calls, kept in memory. It announces changes at most twice a second. */
export const createActivityLog = ({ clock, changed, titleOf }: ActivityContext) => {
  const rows: StoredActivity[] = [];
  let isAnnouncing = false;
  const scheduleChangeNotice = (): void => {
    if (isAnnouncing) return;
    isAnnouncing = true;
    void clock.sleep(announceEveryMs).then(() => {
      isAnnouncing = false;
      changed('assistants');
    });
  };
  return {
    note: ({ route, input, ...row }: ActivityEntry): void => {
      const what = activityByRoute[route];
      rows.push({
        ...row,
        at: clock.now(),
        what: createMessage(`activity.${what}`),
        fields: listChangedFields(what, input),
        listingId: findListingId(input),
      });
      // `splice` moves the whole array, so remove many rows at once.
      if (rows.length > 2 * maxRows) rows.splice(0, rows.length - maxRows);
      scheduleChangeNotice();
    },
    list: (assistantId?: string): ActivityRow[] =>
      rows
        .filter((row) => assistantId === undefined || row.assistantId === assistantId)
        .slice(-maxRows)
        .toReversed()
        .map(({ listingId, ...row }) => ({ ...row, title: listingId === null ? null : titleOf(listingId) })),
  };
};
