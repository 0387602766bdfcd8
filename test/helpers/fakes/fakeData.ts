import { settingsShape } from '../../../src/core/base/settings.ts';
import type { AppState } from '../../../src/core/companion/appState.ts';
import type { ItemView, PhotoView, Step } from '../../../src/core/storage/tables/itemRecord.ts';

const minute = 60_000;

const createPhoto = (at: number, item: string, more: Partial<PhotoView> = {}): PhotoView => ({
  photoId: `${item}-${at}`,
  name: `IMG_20${14 + at}.jpg`,
  state: 'ready',
  sentence: null,
  aside: null,
  duplicateOf: null,
  warnings: [],
  takenAt: null,
  edits: { quarterTurns: 0, straightenDeg: 0, crop: null, brighten: 0 },
  thumbUrl: `/photos/${item}-${at}/thumb`,
  fullUrl: `/photos/${item}-${at}/full`,
  width: 1600,
  height: 1600,
  uploaded: true,
  ...more,
});

type Given = { step: Step } & Partial<Omit<ItemView, 'photos'>> & { photos?: PhotoView[] };

const createItem = (itemId: string, name: string, given: Given): ItemView => ({
  itemId,
  name,
  // The core computes the words of a state.
  words: '',
  title: null,
  stop: null,
  progress: null,
  sent: null,
  removedPhotos: [],
  overCap: 0,
  reviewReason: null,
  deferrable: false,
  arrangeable: false,
  checked: false,
  photoChange: null,
  mayChangeListingPhotos: given.step === 'review',
  privateParts: [],
  barcodes: [],
  photos: [0, 1, 2].map((at) => createPhoto(at, itemId)),
  listingId: `lst_${itemId}`,
  note: '',
  noteOpen: true,
  text: null,
  quantity: 1,
  template: { mayChange: false },
  by: 'person',
  createdAt: Date.now() - 20 * minute,
  updatedAt: Date.now() - 2 * minute,
  ...given,
});

/** Items in every state. */
export const fakeItems = (): ItemView[] => [
  createItem('fox', 'fox figurine', {
    step: 'review',
    title: 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
    photos: [
      ...[0, 1, 2, 3].map((at) => createPhoto(at, 'fox')),
      createPhoto(4, 'fox', { state: 'aside', sentence: 'Beyond the plan’s 4 photos.' }),
      createPhoto(5, 'fox', {
        name: 'scan.jpg',
        state: 'refused',
        sentence: 'This photo is damaged: it ends too early.',
        thumbUrl: null,
        fullUrl: null,
      }),
    ],
  }),
  createItem('camera', 'old compacts', { step: 'writing' }),
  createItem('book', 'paperback book', {
    step: 'upload',
    progress: { done: 1, total: 3 },
    photos: [0, 1, 2].map((at) => createPhoto(at, 'book', { uploaded: at === 0 })),
  }),
  createItem('plants', 'houseplants', { step: 'line' }),
  createItem('scooter', 'scooter', {
    step: 'photos',
    progress: { done: 2, total: 5 },
    listingId: null,
  }),
  createItem('frame', 'framed picture', {
    step: 'upload',
    stop: {
      ...{ kind: 'failed', code: 'OFFLINE', next: ['retry', 'remove'] },
      sentence: 'The service could not be reached. Nothing is lost.',
    },
  }),
  createItem('laptop', 'laptop and tablet', {
    step: 'writing',
    stop: {
      ...{ kind: 'failed', code: 'IMAGES_UNREADABLE', next: ['change_photos', 'write_again', 'remove'] },
      sentence: 'The photos could not be read. Sharper photos help.',
    },
  }),
  createItem('shoes', 'mixed inbox', {
    step: 'live',
    title: 'Nike Air Zoom Pegasus 38 Running Shoes, Men’s EU 43, Blue',
  }),
  createItem('lamp', 'desk lamp', {
    step: 'photos',
    listingId: null,
    stop: {
      ...{ kind: 'cancelled', code: 'CANCELLED', next: ['resume', 'remove'] },
      sentence: 'You stopped this before it was uploaded.',
    },
  }),
];

/** The listings of these items, as the service returns them. */
export const fakeListings = (): Record<string, Record<string, unknown>> => ({
  lst_fox: {
    listingId: 'lst_fox',
    status: 'pending_review',
    title: 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
    description:
      '<h2>Vintage red fox</h2><p>A <b>hand-painted</b> ceramic fox, sitting, about 12 cm tall.</p><ul><li>No chips or cracks seen in the photos</li><li>The maker’s mark could not be read</li></ul><script>window.pwned = true</script><img src=x onerror="window.pwned=true">',
    categoryId: '4005',
    categoryName: 'Figurines & Ornaments',
    marketplaceId: 'MKT_US',
    currency: 'USD',
    condition: 'USED_GOOD',
    price: 3_499,
    suggestedPrice: 3_999,
    quantity: 1,
    format: 'FIXED_PRICE',
    itemSpecifics: { Material: 'Ceramic', Colour: 'Red, white', Height: '12 cm', Style: 'Vintage' },
    publishBlockers: [
      { code: 'MISSING_PACKAGE_WEIGHT', field: 'packageWeightGrams', message: 'Shipping needs the packed weight.' },
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

export const fakeState = (more: Partial<AppState> = {}): AppState => ({
  version: '0.1.0',
  service: { kind: 'practice', url: 'http://127.0.0.1:47900' },
  connection: 'connected',
  offline: null,
  person: { email: 'robin@example.org', plan: 'Starter' },
  allowance: { remaining: 87, credits: 3, resetsAt: '2026-12-22T12:00:00Z', photosPerListing: 16 },
  keychain: { kind: 'system', problem: null },
  paused: false,
  repaired: null,
  readOnly: null,
  checkProgress: null,
  ledgerAlarm: null,
  bridgeUrl: 'http://127.0.0.1:47800',
  presence: { isSetUp: false, relaxedMinutes: 0 },
  settings: settingsShape.parse({ language: 'en', tourSeen: true }),
  watch: null,
  waitingApprovals: 0,
  ...more,
});
