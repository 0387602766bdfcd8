import {
  listAnsweredPolicies,
  parseTrustedInput,
  type Listing,
  type RawInput,
  type RouteName,
} from '../../../src/contract/index.ts';
import { listPolicyNames } from '../../../src/core/approvals/prompts/idNames.ts';
import { renderPrompt } from '../../../src/core/approvals/prompts/index.ts';
import { choosePolicySources } from '../../../src/core/approvals/prompts/policies.ts';
import { createBoundSubject, type GatheredFacts } from '../../../src/core/approvals/subject.ts';
import type { BoundPhoto } from '../../../src/core/photos/boundPhotos.ts';
import type { ApprovalView, FieldChange, Prompt } from '../../../src/core/storage/tables/approvalRecord.ts';

const minute = 60_000;
const toHex = (text: string): string => [...new TextEncoder().encode(text)].map((byte) => byte.toString(16)).join('');

/**
 * Returns photos of one item, main photo first. Their fake hashes contain the photo's name, so that the server can draw
 * them.
 */
export const createBoundPhotos = (item: string, count: number): BoundPhoto[] =>
  Array.from({ length: count }, (_, at) => ({
    sha256: toHex(`${item}-${at}`).padEnd(64, '0'),
    contentType: 'image/jpeg',
  }));

/** Creates the prompt of a request with the core's code. */
export const createPrompt = (route: RouteName, input: RawInput, gathered: GatheredFacts = {}): Prompt => {
  const asked = { route, input: parseTrustedInput(route, input), account: '', askerId: '', key: '' };
  return renderPrompt(createBoundSubject(asked, gathered), { readAt: Date.now() - minute, reason: null });
};

export const createChange = (key: string, before: string, after: string): FieldChange => ({
  ...{ key, label: key, before, after },
});

export const own: Pick<ApprovalView, 'by' | 'reason'> = { by: { kind: 'person' }, reason: null };

/** Creates a pending approval that an assistant requested. */
export const createApproval = (id: string, prompt: Prompt, more: Partial<ApprovalView> = {}): ApprovalView => ({
  ...{ approvalId: `apr_${id}`, digest: `digest-${id}`, state: 'pending', route: 'publishListing', prompt },
  by: { kind: 'assistant', assistantId: 'ast_1', name: 'Garage helper' },
  reason: 'You said the fox can go out today, and that the price is fine.',
  ...{ body: {}, sinceShown: [], placeSeq: Date.now() - 3 * minute, askedAt: Date.now() - 3 * minute },
  ...{
    shownAt: Date.now(),
    expiresAt: Date.now() + 27 * minute,
    decidedAt: null,
    confirmedBy: null,
    outcome: null,
    supersededBy: null,
  },
  ...{ heldUntil: null, mayUnlock: false, differences: [], nameLike: null, quiet: false, ...more },
});

/** Returns a quote with one line, or without lines if it is free. */
export const createQuote = (totalMinor: number, currency: string, state: 'fee' | 'free' = 'fee') => ({
  ...{ state, currency, totalMinor },
  lines: totalMinor === 0 ? [] : [{ name: 'Insertion fee', amountMinor: totalMinor }],
});

export const fox: Listing = {
  listingId: 'lst_fox',
  status: 'pending_review',
  title: 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
  description: `<p>A hand painted ceramic fox. ${'It sat on a shelf and never fell. '.repeat(20)}</p><p>The very last words.</p>`,
  ...{ marketplaceId: 'MKT_US', categoryName: 'Collectables > Animals', createdAt: '2026-11-20T10:12:00Z' },
  ...{ condition: 'USED_GOOD', conditionDescription: 'Small chip at the foot.', sku: 'SHELF-12' },
  ...{ price: 3_499, quantity: 1, format: 'FIXED_PRICE', bestOffer: { enabled: true, autoAcceptCents: 3_000 } },
  itemSpecifics: { Material: 'Ceramic', Colour: 'Red' },
};

const policies = [
  { policyId: 'pol_1', kind: 'fulfillment', name: 'USPS calculated', postage: 'calculated' },
  { policyId: 'pol_2', kind: 'payment', name: 'Payment by the marketplace' },
  { policyId: 'pol_3', kind: 'return', name: '30 days' },
  { policyId: 'pol_4', kind: 'return', name: '60 days, buyer pays' },
].map((policy) => ({ ...policy, marketplaceId: 'MKT_US' }));
const answered = listAnsweredPolicies({ policies });
export const policyNames = listPolicyNames(answered);

type PublishFacts = { item?: string; count?: number; body?: Record<string, unknown>; agreed?: boolean } & Pick<
  GatheredFacts,
  'quote'
>;

/** Creates the prompt of a publish, with policies from the request, a template and the service. */
export const publishPrompt = (
  listing: Listing,
  { item = 'fox', count = 5, body = {}, agreed = true, quote = createQuote(35, 'USD') }: PublishFacts = {},
): Prompt => {
  const template = { paymentPolicyId: 'pol_2' };
  const sources = choosePolicySources({ request: body, template, defaults: null }, answered);
  const context = { defaults: { returns: { days: 30 } }, policies: sources, policyIdsOfUnknownKind: [] };
  const { listingId, marketplaceId } = listing;
  return createPrompt(
    'publishListing',
    { params: { listingId }, body },
    {
      ...{ listing, photos: createBoundPhotos(item, count), quote, context: { ...context, names: policyNames } },
      feeNotice: { site: marketplaceId ?? '', agreed },
    },
  );
};
