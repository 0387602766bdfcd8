import { entryOf, operationCodes, type RouteName, refusedRoutes, routeNames, routeOf } from '../index.ts';

type RouteError = { code: string; meaning: string; whatToDo: string };

const row = (meaning: string, whatToDo: string) => ({ meaning, whatToDo });

const errorTexts: Readonly<Record<string, { meaning: string; whatToDo: string }>> = {
  IDEMPOTENCY_KEY_REUSED: row(
    'The key was used in the last 24 hours with another body.',
    'Use a new key for a new item.',
  ),
  INVALID_IDEMPOTENCY_KEY: row('The key is empty, too long or has spaces.', 'Send 1 to 64 printable ASCII characters.'),
  BAD_EXTRAS_APPROVAL: row('extrasApprovalId is not an approval id.', 'Send the approvalId, or leave it out.'),
  EXTRAS_APPROVAL_REQUIRED: row(
    'The approval is used up, expired, replaced or held by another assistant.',
    'Send it without the approval when plan or credits cover the listing; else read GET /agent/me and ask the person.',
  ),
  INVALID_CODE: row(
    'The code is wrong, used or expired.',
    'Check it with the person; start again when the sign-in is used up.',
  ),
  AGENT_KEY_LIMIT: row('The account has as many assistants as allowed.', 'The person disconnects one.'),
  ACCOUNT_BUSY: row('The account is being set up.', 'Try again after Retry-After.'),
  ACCOUNT_UNAVAILABLE: row('The address cannot be used now.', 'Tell the person.'),
  RATE_CHANGED: row('The rate is not the one quoted.', 'Tell the person rateCents and ask again.'),
  EXTRAS_OFF: row('Extras are off.', 'Turn them on with an explicit yes, then approve.'),
  EXTRAS_UNAVAILABLE: row('The plan cannot use extras.', 'Offer an upgrade.'),
  MISSING_PACKAGE_WEIGHT: row('The packed weight is needed for postage.', 'Ask for it, save it, publish again.'),
  MARKET_TOKEN_EXPIRED: row('The marketplace connection is gone.', 'Give a new link from GET /market/auth-url.'),
  MARKET_TRANSIENT: row('The marketplace could not be reached.', 'Wait a minute and publish once more.'),
  MISSING_POLICIES: row('Policies for the site are missing.', 'Publish once again, then offer starter policies.'),
  CONDITION_NOT_ALLOWED: row(
    'The category does not accept the condition.',
    'Read the conditions, let the person choose.',
  ),
  MISSING_LOCATION: row('The item location is needed.', 'Ask for country and postal code, save them, publish again.'),
  MARKET_REFUSED: row('The marketplace refused for the reason it names.', 'Tell the person, fix it, publish again.'),
};

/** The codes that a route may be refused with. */
export const errorsOf = (name: RouteName): RouteError[] => {
  const codes = entryOf<readonly string[]>(operationCodes, name) ?? [];
  return codes.map((code) => ({
    code,
    ...(errorTexts[code] ?? row('The sentence in `error` says why.', 'Read `error` and tell the person.')),
  }));
};

const recordOf = (name: RouteName) => {
  const route = routeOf(name);
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
    errors: errorsOf(name),
    headers: headersOf(name),
  };
};

const headersOf = (name: RouteName) => [
  ...(routeOf(name).access === 'agent'
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

const allowed = routeNames.map(recordOf);
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

/** Every route of the interface, those for assistants first. */
export const routeRecords = () => [...allowed, ...refused];
