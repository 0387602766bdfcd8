import type { Listing } from '../../../src/contract/index.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { createProblemText } from '../../../src/core/base/problem.ts';
import { createMessage } from '../../../src/i18n/message.ts';
import {
  createBoundPhotos,
  createChange,
  createApproval,
  fox,
  own,
  policyNames,
  createPrompt,
  publishPrompt,
} from './fakePrompts.ts';

const minute = 60_000;
type More = Partial<ApprovalView>;

const lines = [
  { name: 'Insertion fee', amountMinor: 35 },
  { name: 'Subtitle', amountMinor: 120 },
  { name: 'Gallery photo', amountMinor: 0 },
];
/** The marketplace fee of a publish. */
export const publishQuote = { state: 'fee' as const, currency: 'USD', totalMinor: 155, lines };
const quote = publishQuote;

/** A pending approval to publish the fox. */
export const publishApproval = (more: More = {}): ApprovalView =>
  createApproval('1', publishPrompt(fox, { quote }), more);

/** Item specifics with deceptive names and values. */
const masks = {
  Price: 'US$1.00',
  Title: 'An empty box',
  'Marketplace fees': 'Free',
  Site: 'the German site',
  Mаterial: 'Ceramic\u{e0001}\u200b',
};

const longText = (end: string): string => `${'Clean and ready to wear. '.repeat(150)}${end}`;
const shoes: Listing = {
  ...{ listingId: 'lst_shoes', status: 'published', title: 'Nike Аir Zoom Pegasus 38\u200b Running Shoes' },
  ...{ marketplaceId: 'MKT_DE', price: 5_900, itemSpecifics: { Brand: 'Nike' } },
  description: longText('They come in their box.'),
};
const revision = {
  ...{ price: 4_900, itemSpecifics: {}, Price: 'US$1.00', description: longText('They come without a box.') },
  title: 'Nike Air Zoom Pegasus 38 Running Shoes, Men’s EU 43, Navy Blue, worn twice',
};

/** A pending approval to revise a live listing, with deceptive text. */
const reviseApproval = (more: More = {}): ApprovalView => {
  const input = { params: { listingId: 'lst_shoes' }, body: revision };
  const prompt = createPrompt('reviseListing', input, { listing: shoes, photos: createBoundPhotos('shoes', 2) });
  const reason = 'Cheaper sells faster. \u202eevil\u202c';
  const at = Date.now() - minute;
  return createApproval('2', prompt, { route: 'reviseListing', reason, placeSeq: at, askedAt: at, ...more });
};

/** A pending approval that the person requested and that cannot be undone. */
export const endApproval = (more: More = {}): ApprovalView => {
  const listing = { ...fox, status: 'published' as const, marketplaceId: 'MKT_DE' };
  const prompt = createPrompt(
    'endListing',
    { params: { listingId: 'lst_fox' } },
    { listing, photos: createBoundPhotos('fox', 5) },
  );
  return createApproval('3', prompt, { ...own, route: 'endListing', ...more });
};

/** A pending approval for paid extras. */
export const extrasApproval = (more: More = {}, count = 3): ApprovalView => {
  const prompt = createPrompt('approveExtras', { body: { count, rateCents: 40 } }, { context: { rateCents: 40 } });
  const reason = 'The month is used up.';
  return { ...createApproval('4', prompt, { route: 'approveExtras', reason }), digest: `digest-4-${count}`, ...more };
};

const live = { sentence: 'It is live.', code: null, url: 'https://market.example/listing/12' };
/** A publish that was approved and sent. */
const sent = (id: string, state: ApprovalView['state'], outcome: ApprovalView['outcome'], more: More = {}) =>
  publishApproval({ approvalId: `apr_${id}`, state, decidedAt: Date.now() - minute, outcome, ...more });
const past = (ago: number): More => ({
  ...{ decidedAt: Date.now() - ago * minute, placeSeq: Date.now() - (ago + 2) * minute },
  askedAt: Date.now() - (ago + 2) * minute,
});

/** Approvals of every kind, by their special feature. */
export const approvalKinds = {
  publish: publishApproval,
  revise: reviseApproval,
  end: endApproval,
  extras: extrasApproval,
  masked: (more: More = {}) =>
    createApproval('5', publishPrompt({ ...fox, itemSpecifics: masks }, { quote }), {
      nameLike: { kind: 'assistant', name: 'Garage heIper' },
      ...more,
    }),
  /** An end in its undo window. */
  held: (more: More = {}) =>
    endApproval({ state: 'approved', decidedAt: Date.now(), heldUntil: Date.now() + 5_000, ...more }),
  /** The live listing differs from the approved listing. */
  differing: () =>
    sent('6', 'done', live, {
      differences: [
        createChange('price', 'US$34.99', 'US$3.49'),
        { ...createChange('photos', '5 photos', '4 photos'), label: 'Photos' },
      ],
    }),
  unknown: () =>
    sent(
      '7',
      'unconfirmed',
      {
        sentence:
          'The service did not answer. The companion is checking whether it went through; it is not sent again.',
        ...{ code: 'UNCONFIRMED', url: null },
      },
      { decidedAt: Date.now() - 12 * minute, mayUnlock: true },
    ),
  /** The service reports success, but the listing contradicts it. */
  contradicted: () => sent('8', 'unconfirmed', { ...createProblemText('CONTRADICTED'), url: null }),
  /** The listing's page is on an unknown host. */
  strangeHost: () =>
    sent('9', 'done', {
      sentence: 'Published. The listing is live.',
      ...{ says: createMessage('outcomes.published'), code: null },
      url: 'https://pay.unknown-market-of-a-long-name.example/listing/12',
    }),
  policies: () => {
    const body = { fulfillmentPolicyId: 'pol_1' };
    return createApproval('10', publishPrompt(fox, { quote, body }), { body });
  },
  template: () => {
    const body = { fulfillmentPolicyId: 'pol_1' };
    const context = { record: { name: 'Books' }, names: policyNames };
    const prompt = createPrompt('updateTemplate', { params: { templateId: 'tpl_1' }, body }, { context });
    return createApproval('11', prompt, { route: 'updateTemplate', reason: null, body });
  },
};

/** A publish of the fox that the marketplace refused with this code. */
export const refusedApproval = (code: string): ApprovalView =>
  sent(
    'refused',
    'failed',
    { sentence: `The marketplace said no: ${code.toLowerCase().replaceAll('_', ' ')}.`, code, url: null },
    { ...past(1), ...own, body: { autoDelistOnSale: true } },
  );

/** Earlier decisions. */
export const fakeHistory = (): ApprovalView[] => [
  sent('0', 'done', live, past(90)),
  endApproval({
    ...{ approvalId: 'apr_00', state: 'declined', ...past(3_000) },
    outcome: { sentence: 'You declined. Nothing was sent.', code: null, url: null },
  }),
];
