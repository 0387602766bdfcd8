import { findOwnEntry, operationCodes, type RouteName, refusedRoutes, routeNames, getRouteByName } from '../index.ts';

type ErrorCode = (typeof operationCodes)[keyof typeof operationCodes][number];
type RouteError = { code: string; meaning: string; whatToDo: string };

const createErrorTexts = (meaning: string, whatToDo: string) => ({ meaning, whatToDo });

const errorTexts: Readonly<Record<ErrorCode, { meaning: string; whatToDo: string }>> = {
  IDEMPOTENCY_KEY_REUSED: createErrorTexts(
    'The key was used in the last 24 hours with another body.',
    'Use a new key for a new item; list the listings to find the one that the key made.',
  ),
  INVALID_IDEMPOTENCY_KEY: createErrorTexts(
    'The key is empty, too long or has spaces.',
    'Send 1 to 64 printable ASCII characters.',
  ),
  BAD_EXTRAS_APPROVAL: createErrorTexts(
    'extrasApprovalId is not an approval id.',
    'Send the approvalId, or leave it out.',
  ),
  EXTRAS_APPROVAL_REQUIRED: createErrorTexts(
    'The approval is used up, expired, replaced or held by another assistant.',
    'Send it without the approval when plan or credits cover the listing; else read GET /agent/me and ask the person.',
  ),
  INVALID_CODE: createErrorTexts(
    'The code is wrong, used or expired.',
    'Check it with the person; start again when the sign-in is used up.',
  ),
  AGENT_KEY_LIMIT: createErrorTexts('The account has as many assistants as allowed.', 'The person disconnects one.'),
  ACCOUNT_BUSY: createErrorTexts('The account is being set up.', 'Send the same again after Retry-After.'),
  ACCOUNT_UNAVAILABLE: createErrorTexts('The address cannot be used now.', 'Tell the person.'),
  RATE_CHANGED: createErrorTexts("The rate is missing, or is not today's.", 'Tell the person rateCents and ask again.'),
  EXTRAS_ON_LIMIT: createErrorTexts(
    'An assistant already turned extras on in the last 24 hours.',
    'Wait for Retry-After, or the person turns them on in Billing.',
  ),
  'overage-unavailable': createErrorTexts(
    'The plan cannot use extras; reason says why: free, a trial, a store subscription, not active or not ready.',
    'Offer an upgrade.',
  ),
  'overage-state-conflict': createErrorTexts(
    'The account was changed at the same time.',
    'Read GET /agent/me, then retry once.',
  ),
  'overage-provider-unavailable': createErrorTexts('The billing provider cannot be reached.', 'Retry shortly.'),
  'overage-update-failed': createErrorTexts('The change could not be saved.', 'Retry shortly.'),
  'invalid-overage-request': createErrorTexts(
    'The body is not of the form with enabled true or false.',
    'Send enabled, and with true also acknowledgedRateCents.',
  ),
  EXTRAS_OFF: createErrorTexts('Extras are off.', 'Turn them on with an explicit yes, then approve.'),
  EXTRAS_UNAVAILABLE: createErrorTexts('Extras are not to be had here now.', 'Offer an upgrade.'),
  EXTRAS_DAILY_LIMIT: createErrorTexts(
    "Assistants already set aside today's maximum.",
    'Wait for Retry-After, or offer an upgrade.',
  ),
  EXTRAS_ON_UNCONFIRMED: createErrorTexts(
    'The receipt for turning extras on was never sent.',
    'Send PATCH /subscriptions/overage with enabled true again, which sends it, then approve.',
  ),
  EXTRAS_CHANGED: createErrorTexts(
    'The subscription changed while the approval was being saved.',
    'Read GET /agent/me and ask the person again if it is still needed.',
  ),
  TRY_AGAIN: createErrorTexts(
    'The person could not be e-mailed, and nothing was changed.',
    'Wait for Retry-After, then retry.',
  ),
  INVALID_REQUEST: createErrorTexts(
    'count or rateCents is missing or out of range.',
    'Send both as whole numbers, count 1 to 50.',
  ),
  AGENT_ONLY: createErrorTexts(
    'Only an assistant records an approval.',
    'Nothing: call it with the key of an assistant.',
  ),
  MISSING_PACKAGE_WEIGHT: createErrorTexts(
    'The weight, sometimes the size, is needed to quote postage.',
    'Ask for the packed weight, save it with PUT /listings/{listingId}, publish again.',
  ),
  PACKAGE_WEIGHT_TOO_HEAVY: createErrorTexts(
    "The item is heavier than the policy's shipping service allows.",
    'The person checks the weight, or chooses a policy with a suitable service.',
  ),
  MARKET_TOKEN_EXPIRED: createErrorTexts(
    'The marketplace connection was withdrawn.',
    'Give the person a new link from GET /market/auth-url, then publish again.',
  ),
  MARKET_TRANSIENT: createErrorTexts(
    'The marketplace cannot be reached or has a temporary error.',
    'Wait a minute and publish once more.',
  ),
  MISSING_POLICIES: createErrorTexts(
    'There are no shipping, payment or return policies for the site, or their record is stale.',
    'Publish again once; if it is refused again, offer POST /market/policies/bootstrap.',
  ),
  POLICY_MARKETPLACE_MISMATCH: createErrorTexts(
    'A policy belongs to a different site.',
    "Show GET /market/policies and publish with the person's choice.",
  ),
  CONDITION_NOT_ALLOWED: createErrorTexts(
    'The category does not accept the condition.',
    'Read GET /market/category-conditions, let the person choose, save it, publish again.',
  ),
  MISSING_LOCATION: createErrorTexts(
    'The item location is needed.',
    'Ask for country and postal code, save them with POST /market/seller-defaults, publish again.',
  ),
  UNSUPPORTED_LISTING_MARKETPLACE: createErrorTexts(
    'The listing is set to a site that is not supported.',
    'Create the listing again for a supported site.',
  ),
  TARGET_POLICIES_REQUIRED: createErrorTexts(
    'The person has no policies on the site that is published to.',
    'Tell the person and offer POST /market/policies/bootstrap for that site.',
  ),
  TEMPLATE_POLICY_MARKETPLACE_MISMATCH: createErrorTexts(
    'The template names a policy that this site does not have.',
    'The person chooses a policy of the site, or updates the template.',
  ),
  POLICY_REPAIR_FAILED: createErrorTexts(
    'The automatic repair of the policies was refused.',
    'Tell the person; suggest checking the business policies or contacting support.',
  ),
  SELLER_SETUP_REQUIRED: createErrorTexts(
    'Marketplace error 640: the seller setup is not finished.',
    'The person finishes the setup on the marketplace, then publish again.',
  ),
  INLINE_SHIPPING_OTHER_SITE: createErrorTexts(
    'Shipping that is set inline works on the home site only.',
    'Publish with shipping policies made for this site.',
  ),
  TARGET_POLICIES_CHOOSE: createErrorTexts(
    'The site has several policies, and none is guessed.',
    'Show the policies of the site and publish with the one that the person chose.',
  ),
  MARKET_REFUSED: createErrorTexts(
    'The marketplace refused for a reason that it named.',
    'Tell the person the reason, fix it, publish again.',
  ),
};

/** Returns the error codes of a route with their meanings. */
export const listRouteErrors = (name: RouteName): RouteError[] =>
  (findOwnEntry<readonly ErrorCode[]>(operationCodes, name) ?? []).map((code) => ({ code, ...errorTexts[code] }));

const buildRouteRecord = (name: RouteName) => {
  const route = getRouteByName(name);
  const asks = route.askFirst === true || (route.askFirstWhen?.length ?? 0) > 0;
  return {
    method: route.method,
    path: route.path,
    summary: route.summary,
    whenToUse: asks ? `${route.summary} Only after the person said yes to exactly this.` : route.summary,
    whenNotToUse: route.quota ? 'Never in a loop: it draws on a daily budget.' : '',
    access: route.access,
    askFirst: route.askFirst ?? false,
    askFirstWhen: [...(route.askFirstWhen ?? [])],
    reversible: route.reversible ?? true,
    ...(route.cost ? { cost: route.cost } : {}),
    ...(route.quota ? { quota: route.quota } : {}),
    errors: listRouteErrors(name),
    headers: listRouteHeaders(name),
  };
};

const listRouteHeaders = (name: RouteName) => [
  ...(getRouteByName(name).access === 'agent'
    ? [{ name: 'Authorization', required: true, description: 'Bearer and the key of the assistant.' }]
    : []),
  ...(name === 'createListing'
    ? [
        {
          name: 'Idempotency-Key',
          required: false,
          description: '1 to 64 printable ASCII characters without spaces; the same key and body make one listing.',
        },
      ]
    : []),
];

const allowed = routeNames.map(buildRouteRecord);
const refused = refusedRoutes.map(({ method, path, access }) => ({
  method,
  path,
  summary: 'Not for assistants.',
  whenToUse: '',
  whenNotToUse: 'Never.',
  access,
  askFirst: false,
  askFirstWhen: [],
  reversible: true,
  errors: [],
  headers: [],
}));

/** Returns every route of the interface; the routes for assistants come first. */
export const listRouteRecords = () => [...allowed, ...refused];
