import type { RouteName } from './routes/index.ts';
import { findOwnEntry } from './untrusted.ts';

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
  publishChannels: publishRefusals,
} as const satisfies Partial<Record<RouteName, readonly string[]>>;

const formCodes: Partial<Record<RouteName, { code: string; field?: string }>> = {
  createListing: { code: 'INVALID_IDEMPOTENCY_KEY', field: 'idempotency-key' },
  generateListing: { code: 'BAD_EXTRAS_APPROVAL', field: 'extrasApprovalId' },
  setExtras: { code: 'invalid-overage-request' },
};
/** The service answers with status 400 if it refuses a request with one of these codes. */
export const formRefusals: ReadonlySet<string> = new Set(Object.values(formCodes).map(({ code }) => code));
/** Returns the error code for an invalid field: the interface's own code if it defines one, else INVALID_REQUEST. */
export const getFormCode = (route: RouteName, field: string): string => {
  const own = formCodes[route];
  return own !== undefined && (own.field ?? field) === field ? own.code : 'INVALID_REQUEST';
};

/**
 * `edit` saves a field of the listing. `ask` sends a request that needs the person's approval. `choose` picks one of
 * the service's options. `wait` retries later, `again` retries now. `outside` means that the person must solve the
 * problem on the marketplace.
 */
export type Remedy =
  | { kind: 'edit'; field: 'packageWeightGrams' | 'condition' }
  | { kind: 'ask'; route: 'bootstrapPolicies' | 'updateSellerDefaults' }
  | { kind: 'choose'; what: 'policies' }
  | { kind: 'signIn' }
  | { kind: 'wait'; ms: number }
  | { kind: 'again' }
  | { kind: 'outside' }
  | { kind: 'relist' };

export type PublishFix = {
  sentence: string;
  label: string;
  remedy: Remedy;
  more?: readonly { label: string; remedy: Remedy }[];
  /** True if the service repairs the problem when the publish is sent again with `fix`. */
  repairable?: true;
};

const minute = 60_000;

export const publishFixes: Record<PublishRefusal, PublishFix> = {
  MISSING_PACKAGE_WEIGHT: {
    sentence: 'Shipping is priced by weight, and the packed weight is missing.',
    label: 'Enter the packed weight',
    remedy: { kind: 'edit', field: 'packageWeightGrams' },
  },
  PACKAGE_WEIGHT_TOO_HEAVY: {
    sentence: 'The package is too heavy for the shipping service of this policy.',
    label: 'Check the packed weight',
    remedy: { kind: 'edit', field: 'packageWeightGrams' },
    more: [{ label: 'Choose another shipping policy', remedy: { kind: 'choose', what: 'policies' } }],
  },
  MARKET_TOKEN_EXPIRED: {
    sentence: 'The marketplace account is no longer connected.',
    label: 'Sign in to the marketplace',
    remedy: { kind: 'signIn' },
  },
  MARKET_TRANSIENT: {
    sentence: 'The marketplace could not be reached. This usually passes within a minute.',
    label: 'Try again in a minute',
    remedy: { kind: 'wait', ms: minute },
  },
  MISSING_POLICIES: {
    sentence: 'Shipping, payment or return policies for this site are missing, or the service has an old copy of them.',
    label: 'Try once more',
    remedy: { kind: 'again' },
    more: [{ label: 'Create starter policies', remedy: { kind: 'ask', route: 'bootstrapPolicies' } }],
    repairable: true,
  },
  POLICY_MARKETPLACE_MISMATCH: {
    sentence: 'One of the policies belongs to a different site.',
    label: 'Choose policies for this site',
    remedy: { kind: 'choose', what: 'policies' },
  },
  CONDITION_NOT_ALLOWED: {
    sentence: 'This category does not accept this condition.',
    label: 'Choose a condition it accepts',
    remedy: { kind: 'edit', field: 'condition' },
  },
  MISSING_LOCATION: {
    sentence: 'The marketplace needs to know where the item is.',
    label: 'Enter country and postcode',
    remedy: { kind: 'ask', route: 'updateSellerDefaults' },
  },
  UNSUPPORTED_LISTING_MARKETPLACE: {
    sentence: 'This listing was made for a site that you cannot publish on.',
    label: 'Make it again for another site',
    remedy: { kind: 'relist' },
  },
  TARGET_POLICIES_REQUIRED: {
    sentence: 'You have no policies on this site yet.',
    label: 'Create starter policies',
    remedy: { kind: 'ask', route: 'bootstrapPolicies' },
    repairable: true,
  },
  TEMPLATE_POLICY_MARKETPLACE_MISMATCH: {
    sentence: 'The template names a policy that this site does not have.',
    label: 'Choose policies for this site',
    remedy: { kind: 'choose', what: 'policies' },
  },
  POLICY_REPAIR_FAILED: {
    sentence:
      'The marketplace did not allow the policies to be repaired. Check your business policies there, or ask its support.',
    label: 'I have checked them, try again',
    remedy: { kind: 'outside' },
  },
  SELLER_SETUP_REQUIRED: {
    sentence: 'Your seller account on the marketplace is not finished. Finish it there first.',
    label: 'I have finished it, try again',
    remedy: { kind: 'outside' },
  },
  INLINE_SHIPPING_OTHER_SITE: {
    sentence: 'Shipping that is set in the listing works on your home site only.',
    label: 'Choose shipping policies for this site',
    remedy: { kind: 'choose', what: 'policies' },
  },
  TARGET_POLICIES_CHOOSE: {
    sentence: 'This site has several policies. Choose which to use.',
    label: 'Choose the policies',
    remedy: { kind: 'choose', what: 'policies' },
  },
  MARKET_REFUSED: {
    sentence: 'The marketplace refused the listing for the reason it names. Change that in the listing.',
    label: 'I have changed it, try again',
    remedy: { kind: 'outside' },
  },
};

/** Returns the fix for a publish error; null if the code is not a publish error. */
export const findPublishFix = (code: string | null | undefined): PublishFix | null =>
  findOwnEntry<PublishFix>(publishFixes, code ?? '') ?? null;
