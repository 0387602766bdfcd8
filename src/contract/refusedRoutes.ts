import type { Access } from './route.ts';

export type RefusedRoute = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  path: string;
  access: Exclude<Access, 'agent' | 'public_info'>;
};

type RefusedRow = readonly [RefusedRoute['method'], string];

const toRefusedRoutes = (access: RefusedRoute['access'], rows: readonly RefusedRow[]): RefusedRoute[] =>
  rows.map(([method, path]) => ({ method, path, access }));

export const refusedRoutes: readonly RefusedRoute[] = [
  ...toRefusedRoutes('human_only', [
    ['POST', '/auth/register'],
    ['POST', '/auth/login'],
    ['POST', '/auth/refresh'],
    ['POST', '/auth/verify-email'],
    ['POST', '/auth/resend-verification'],
    ['POST', '/auth/forgot-password'],
    ['POST', '/auth/reset-password'],
    ['POST', '/auth/google'],
    ['POST', '/auth/apple'],
    ['DELETE', '/users/{userId}'],
    ['GET', '/users/{userId}/stripe/{action}'],
    ['POST', '/users/{userId}/stripe/{action}'],
    ['POST', '/subscriptions/upgrade'],
    ['POST', '/subscriptions/downgrade'],
    ['POST', '/subscriptions/refund-request'],
    ['PATCH', '/subscriptions/overage/disclosure'],
    ['GET', '/api-keys'],
    ['POST', '/api-keys'],
    ['DELETE', '/api-keys/{keyType}'],
    ['PATCH', '/api-keys/{keyType}'],
    ['POST', '/agent/keys'],
    ['DELETE', '/agent/keys/{keyId}'],
    ['GET', '/storefronts/me'],
    ['PUT', '/storefronts/me'],
    ['GET', '/storefronts/handles/{handle}'],
  ]),
  ...toRefusedRoutes('public_browser', [
    ['GET', '/unsubscribe'],
    ['POST', '/unsubscribe'],
    ['POST', '/billing/external-checkout-redeem'],
    ['GET', '/referrals/validate/{code}'],
    ['POST', '/referrals/track-click/{code}'],
    ['GET', '/storefronts/public/{handle}'],
    ['GET', '/storefronts/public/{handle}/listings'],
    ['GET', '/storefronts/public/{handle}/listings/{listingId}'],
  ]),
  ...toRefusedRoutes('internal', [
    ['ANY', '/market/callback'],
    ['ANY', '/market/deletion'],
    ['ANY', '/market/notifications'],
    ['ANY', '/market/notifications/{ref}'],
    ['ANY', '/channels/{channelId}/callback'],
    ['ANY', '/channels/{channelId}/webhook/{ref}'],
    ['ANY', '/iap/purchase'],
    ['ANY', '/iap/consume'],
    ['ANY', '/iap/verify-receipt'],
    ['ANY', '/iap/restore'],
    ['ANY', '/iap/transfer-subscription'],
    ['ANY', '/iap/webhooks/apple'],
    ['ANY', '/webhooks/stripe'],
    ['ANY', '/webhooks/apple-siwa'],
    ['ANY', '/subscriptions/trial/activate'],
    ['ANY', '/notifications/register-token'],
    ['ANY', '/notifications/unregister-token'],
    ['ANY', '/admin/{proxy+}'],
    ['ANY', '/analytics/admin/{proxy+}'],
    ['ANY', '/analytics/dashboard'],
    ['ANY', '/analytics/events'],
  ]),
];

/**
 * Fields that can contain the address of a page for the person only, such as a sign-in or checkout page. Names are
 * compared in lower case, without spaces, dashes and underscores.
 */
const personFields =
  /^(auth|authori[sz]ation|oauth|signin|signup|login|connect|reconnect|link|checkout|portal|billing|billingportal|customerportal|manage|management|payment|pay|invoice|hostedinvoice|receipt|onboarding|verification|verify|session|upgrade|consent)(url|uri|href|link|page|pdf)s?$/;

const testPersonField = (name: string): boolean => personFields.test(name.replace(/[-_\s]/g, '').toLowerCase());

/** Every field of every answer is tested, and the fields have few names, so these are remembered up to these limits. */
const [maxKnownNames, maxKnownLength] = [1_000, 100];
const knownNames = new Map<string, boolean>();

/** Returns whether a field can contain the address of a page that only the person may open. */
export const isPersonPageField = (name: string): boolean => {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isPersonField = testPersonField(name);
  if (name.length > maxKnownLength) return isPersonField;
  if (knownNames.size >= maxKnownNames) knownNames.clear();
  knownNames.set(name, isPersonField);
  return isPersonField;
};

export const publicAddressFields: ReadonlySet<string> = new Set([
  'marketListingUrl',
  'publicUrl',
  'imageUrl',
  'imageUrls',
  'thumbnailUrl',
]);
