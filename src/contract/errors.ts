/** Codes that a publish may be refused with, in the interface's order. */
export const publishRefusals = [
  'MISSING_PACKAGE_WEIGHT',
  'PACKAGE_WEIGHT_TOO_HEAVY',
  'MARKET_TOKEN_EXPIRED',
  'MARKET_TRANSIENT',
  'MISSING_POLICIES',
  'POLICY_MARKETPLACE_MISMATCH',
  'CONDITION_NOT_ALLOWED',
  'MISSING_LOCATION',
  'UNSUPPORTED_LISTING_MARKETPLACE',
  'TARGET_POLICIES_REQUIRED',
  'TEMPLATE_POLICY_MARKETPLACE_MISMATCH',
  'POLICY_REPAIR_FAILED',
  'SELLER_SETUP_REQUIRED',
  'INLINE_SHIPPING_OTHER_SITE',
  'TARGET_POLICIES_CHOOSE',
  'MARKET_REFUSED',
] as const;
export type PublishRefusal = (typeof publishRefusals)[number];

/** Codes of the other operations, by route name. */
export const operationCodes = {
  createListing: ['IDEMPOTENCY_KEY_REUSED', 'INVALID_IDEMPOTENCY_KEY'],
  generateListing: ['BAD_EXTRAS_APPROVAL', 'EXTRAS_APPROVAL_REQUIRED'],
  verifySignIn: ['INVALID_CODE', 'AGENT_KEY_LIMIT', 'ACCOUNT_BUSY', 'ACCOUNT_UNAVAILABLE'],
  setExtras: [
    'RATE_CHANGED',
    'EXTRAS_ON_LIMIT',
    'EXTRAS_UNAVAILABLE',
    'overage-unavailable',
    'TRY_AGAIN',
    'overage-state-conflict',
    'overage-provider-unavailable',
    'overage-update-failed',
    'invalid-overage-request',
  ],
  approveExtras: [
    'EXTRAS_OFF',
    'RATE_CHANGED',
    'EXTRAS_UNAVAILABLE',
    'EXTRAS_DAILY_LIMIT',
    'EXTRAS_ON_UNCONFIRMED',
    'EXTRAS_CHANGED',
    'TRY_AGAIN',
    'INVALID_REQUEST',
    'AGENT_ONLY',
  ],
  publishListing: publishRefusals,
  publishChannel: publishRefusals,
} as const;
