import type { ApprovalView } from '../../src/core/approvals/approval.ts';
import type { AppState } from '../../src/core/appState.ts';
import type { ItemView, PhotoView, Step, Stop } from '../../src/core/items/item.ts';
import { saying } from '../../src/words/saying.ts';

const minute = 60_000;

const noEdits: PhotoView['edits'] = { quarterTurns: 0, straightenDeg: 0, crop: null, brighten: 0 };

const photo = (at: number, item: string, more: Partial<PhotoView> = {}): PhotoView => ({
  photoId: `${item}-${at}`,
  name: `IMG_20${14 + at}.jpg`,
  state: 'ready',
  sentence: null,
  aside: null,
  duplicateOf: null,
  warnings: [],
  takenAt: null,
  edits: noEdits,
  thumbUrl: `/photos/${item}-${at}/thumb`,
  fullUrl: `/photos/${item}-${at}/full`,
  width: 1600,
  height: 1200,
  uploaded: true,
  ...more,
});

type Given = { step: Step; words: string } & Partial<Omit<ItemView, 'photos'>> & { photos?: PhotoView[] };

const item = (itemId: string, name: string, given: Given): ItemView => ({
  itemId,
  name,
  title: null,
  stop: null,
  progress: null,
  sent: null,
  removedPhotos: [],
  overCap: 0,
  guessed: false,
  arrangeable: false,
  barcodes: [],
  photos: [photo(0, itemId), photo(1, itemId), photo(2, itemId)],
  listingId: `lst_${itemId}`,
  note: '',
  quantity: 1,
  by: 'person',
  createdAt: Date.now() - 20 * minute,
  updatedAt: Date.now() - 2 * minute,
  ...given,
});

const stop = (code: string, sentence: string, next: Stop['next'], kind: Stop['kind'] = 'failed'): Stop => ({
  kind,
  code,
  sentence,
  next,
});

/** Items in every state. */
export const fakeItems = (): ItemView[] => [
  item('fox', 'fox figurine', {
    step: 'review',
    words: 'Ready to review',
    title: 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
    photos: [
      photo(0, 'fox'),
      photo(1, 'fox'),
      photo(2, 'fox'),
      photo(3, 'fox'),
      photo(4, 'fox', { state: 'aside', sentence: 'Beyond the plan’s 4 photos.' }),
      photo(5, 'fox', {
        name: 'scan.jpg',
        state: 'refused',
        sentence: 'This photo is damaged: it ends too early.',
        thumbUrl: null,
        fullUrl: null,
      }),
    ],
  }),
  item('camera', 'old compacts', { step: 'writing', words: 'Being written, since 40 s' }),
  item('book', 'paperback book', {
    step: 'upload',
    words: 'Uploading, 1 of 3 photos',
    progress: { done: 1, total: 3 },
  }),
  item('plants', 'houseplants', { step: 'line', words: 'In line to be written' }),
  item('scooter', 'scooter', {
    step: 'photos',
    words: 'Making photos ready, 2 of 5',
    progress: { done: 2, total: 5 },
    listingId: null,
  }),
  item('frame', 'framed picture', {
    step: 'upload',
    words: 'Stopped: the network is gone',
    stop: stop('OFFLINE', 'The service could not be reached. Nothing is lost.', ['retry', 'remove']),
  }),
  item('laptop', 'laptop and tablet', {
    step: 'writing',
    words: 'Writing failed',
    stop: stop('IMAGES_UNREADABLE', 'The photos could not be read. Sharper photos help.', ['write_again', 'remove']),
  }),
  item('shoes', 'mixed inbox', {
    step: 'live',
    words: 'Live',
    title: 'Nike Air Zoom Pegasus 38 Running Shoes, Men’s EU 43, Blue',
  }),
  item('lamp', 'desk lamp', {
    step: 'photos',
    words: 'You cancelled this',
    listingId: null,
    stop: stop('CANCELLED', 'You stopped this before it was uploaded.', ['resume', 'remove'], 'cancelled'),
  }),
];

/** Listings of those items, as the service answers them. */
export const fakeListings = (): Record<string, Record<string, unknown>> => ({
  lst_fox: {
    listingId: 'lst_fox',
    status: 'pending_review',
    title: 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
    description:
      '<h2>Vintage red fox</h2><p>A <b>hand-painted</b> ceramic fox, sitting, about 12 cm tall.</p><ul><li>No chips or cracks seen in the photos</li><li>The maker’s mark could not be read</li></ul><script>window.pwned = true</script><img src=x onerror="window.pwned=true">',
    categoryId: '1201',
    categoryName: 'Collectables > Animals > Foxes',
    marketplaceId: 'MKT_US',
    currency: 'USD',
    condition: 'USED_GOOD',
    price: 3_499,
    suggestedPrice: 3_999,
    quantity: 1,
    format: 'FIXED_PRICE',
    itemSpecifics: { Material: 'Ceramic', Colour: 'Red, white', Height: '12 cm', Style: 'Vintage' },
    publishBlockers: [
      { code: 'MISSING_PACKAGE_WEIGHT', field: 'packageWeightGrams', message: 'The postage needs the packed weight.' },
    ],
  },
  lst_shoes: {
    listingId: 'lst_shoes',
    status: 'published',
    title: 'Nike Air Zoom Pegasus 38 Running Shoes, Men’s EU 43, Blue',
    description: '<p>Worn a few times.</p>',
    categoryName: 'Clothing > Shoes > Running shoes',
    marketplaceId: 'MKT_DE',
    condition: 'USED_EXCELLENT',
    price: 5_900,
    quantity: 1,
    itemSpecifics: { Brand: 'Nike', Size: 'EU 43' },
    marketListingId: '12',
    marketListingUrl: 'https://market.example/listing/12',
  },
});

const fees: ApprovalView['prompt']['money'] = {
  state: 'fee',
  currency: 'USD',
  totalMinor: 155,
  lines: [
    { name: 'Insertion fee', amountMinor: 35 },
    { name: 'Subtitle', amountMinor: 120 },
    { name: 'Gallery photo', amountMinor: 0 },
  ],
  reason: null,
  quotedAt: Date.now() - minute,
};

/** A question to publish the fox. */
export const publishApproval = (more: Partial<ApprovalView> = {}): ApprovalView => ({
  approvalId: 'apr_1',
  digest: 'digest-1',
  state: 'pending',
  route: 'publishListing',
  by: { kind: 'assistant', assistantId: 'ast_1', name: 'Garage helper' },
  reason: 'You said the fox can go out today, and that the price is fine.',
  prompt: {
    act: 'Publish on MKT_US',
    consequence: 'The listing goes live at once and buyers can buy it.',
    target: {
      listingId: 'lst_fox',
      title: 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
      photoUrl: '/photos/fox-0/full',
      facts: [
        { label: 'Price', value: 'US$34.99' },
        { label: 'Condition', value: 'Used – good' },
        { label: 'Quantity', value: '1' },
        { label: 'Format', value: 'Fixed price' },
        { label: 'Best Offer', value: 'Yes, accepted by itself from US$30.00' },
        { label: 'Material', value: 'Ceramic' },
      ],
    },
    changes: [],
    money: { ...fees, quotedAt: Date.now() - minute },
    feeNotice: null,
    undo: 'You can end the listing at any time; the fee is not paid back.',
    final: false,
    yes: 'Publish for US$1.55',
    says: {
      act: saying('prompts.publishOn', { site: 'MKT_US' }),
      yes: saying('prompts.publishFor', { fee: { minor: 155, currency: 'USD' } }),
    },
  },
  sinceShown: [],
  askedAt: Date.now() - 3 * minute,
  shownAt: Date.now(),
  expiresAt: Date.now() + 27 * minute,
  decidedAt: null,
  outcome: null,
  supersededBy: null,
  ...more,
});

/** A question to change a live listing, with text that tries to be what it is not. */
export const reviseApproval = (more: Partial<ApprovalView> = {}): ApprovalView => {
  const base = publishApproval();
  return {
    ...base,
    approvalId: 'apr_2',
    digest: 'digest-2',
    route: 'reviseListing',
    reason: 'Cheaper sells faster. \u202eevil\u202c',
    askedAt: Date.now() - minute,
    prompt: {
      ...base.prompt,
      act: 'Change the live listing on MKT_DE',
      consequence: 'Buyers see the change at once.',
      target: {
        listingId: 'lst_shoes',
        title: 'Nike Аir Zoom Pegasus 38\u200b Running Shoes',
        photoUrl: '/photos/shoes-0/full',
        facts: [],
      },
      changes: [
        { label: 'price', before: '€59.00', after: '€49.00' },
        {
          label: 'Title',
          before: 'Nike Air Zoom Pegasus 38 Running Shoes, Men’s EU 43, Blue',
          after: 'Nike Air Zoom Pegasus 38 Running Shoes, Men’s EU 43, Navy Blue, worn twice',
        },
      ],
      money: null,
      undo: 'You can change it back.',
      yes: 'Change the listing',
      says: { act: saying('prompts.revise'), yes: saying('prompts.reviseYes') },
    },
    ...more,
  };
};

/** A question that cannot be undone. */
export const endApproval = (more: Partial<ApprovalView> = {}): ApprovalView => {
  const base = publishApproval();
  return {
    ...base,
    approvalId: 'apr_3',
    digest: 'digest-3',
    route: 'endListing',
    by: { kind: 'person' },
    reason: null,
    prompt: {
      ...base.prompt,
      act: 'End the listing on MKT_DE',
      consequence: 'It is taken off the marketplace at once.',
      money: null,
      undo: 'This cannot be undone. A relist is a new listing.',
      final: true,
      yes: 'End the listing',
      says: { act: saying('prompts.end'), yes: saying('prompts.endYes'), undo: saying('prompts.final') },
    },
    ...more,
  };
};

/** A publish of the fox that the marketplace refused. */
export const refusedApproval = (code: string): ApprovalView =>
  publishApproval({
    approvalId: 'apr_refused',
    by: { kind: 'person' },
    reason: null,
    state: 'failed',
    askedAt: Date.now() - 2 * minute,
    decidedAt: Date.now() - minute,
    outcome: { sentence: `The marketplace said no: ${code.toLowerCase().replaceAll('_', ' ')}.`, code, url: null },
  });

/** What was decided before. */
export const fakeHistory = (): ApprovalView[] => [
  publishApproval({
    approvalId: 'apr_0',
    state: 'done',
    decidedAt: Date.now() - 90 * minute,
    askedAt: Date.now() - 92 * minute,
    outcome: { sentence: 'It is live.', code: null, url: 'https://market.example/listing/12' },
  }),
  endApproval({
    approvalId: 'apr_00',
    state: 'declined',
    decidedAt: Date.now() - 3_000 * minute,
    askedAt: Date.now() - 3_001 * minute,
    outcome: { sentence: 'You declined. Nothing was sent.', code: null, url: null },
  }),
];

export const fakeState = (more: Partial<AppState> = {}): AppState => ({
  version: '0.1.0',
  service: { kind: 'practice', url: 'http://127.0.0.1:47900' },
  connection: 'connected',
  offline: null,
  person: { name: 'Robin', email: 'robin@example.org', plan: 'Starter' },
  allowance: { remaining: 87, credits: 3, photosPerListing: 16 },
  keychain: { kind: 'system', problem: null },
  paused: false,
  repaired: null,
  ledgerAlarm: null,
  bridgeUrl: 'http://127.0.0.1:47800',
  settings: {
    language: 'en',
    theme: 'system',
    tourSeen: true,
    longEdgePx: 1600,
    photoFormat: 'jpeg',
    watchFolder: null,
    groupingReview: true,
    approvalMinutes: 30,
    publishFromNotificationMinor: null,
    marketplaceId: null,
    marketAccountId: null,
    notify: { approvals: true, written: true, sales: true, connection: true },
  },
  watch: null,
  waitingApprovals: 0,
  ...more,
});
