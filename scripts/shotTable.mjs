// The table of pictures that scripts/shots.mjs takes.
import { questionShots } from './questionShots.mjs';
import { click, dropping, ended, loweredPrices, scrolled, unpaid } from './shotActs.mjs';

const unconnected = { state: { connection: 'none', service: { kind: 'remote', url: 'https://service.example' } } };

/** By picture name: the path, the data of the fake companion, and the steps before the picture. */
const openPhotosPanel = (page) =>
  page.getByRole('region', { name: 'Photos', exact: true }).getByRole('button', { name: 'Change photos' }).click();

/** Shows a change of photos at a stage. */
const changePhotos = async (page, stage) => {
  await openPhotosPanel(page);
  const first = page.getByRole('button', { name: /^Photo 1 of 4/ });
  await first.press('Alt+ArrowRight');
  await page.getByRole('button', { name: 'Send the photos' }).click();
  await page.getByRole('status').filter({ hasText: 'Sending' }).waitFor();
  if (stage === 'sending') return;
  await page.evaluate((wanted) => {
    const { fake } = window;
    /** The server of the pictures takes the id of a photo as a hash. */
    const toBoundPhotoUrl = (id) =>
      `/bound-photos/${[...id]
        .map((sign) => sign.charCodeAt(0).toString(16))
        .join('')
        .padEnd(64, '0')}`;
    const { photoChange, photos } = fake.items.find(({ itemId }) => itemId === 'fox');
    Object.assign(photoChange, {
      stage: wanted,
      isUnsettled: wanted === 'mixed',
      shownUrls: wanted === 'mixed' ? [1, 1, 2, 3].map((at) => toBoundPhotoUrl(photos[at].photoId)) : [],
    });
    fake.changed('items');
  }, stage);
};

export const shots = {
  first: [
    '',
    {
      state: {
        connection: 'none',
        keychain: { kind: 'memory', problem: 'This session has no D-Bus, so the system keychain cannot be reached.' },
      },
    },
  ],
  connect: ['', unconnected, click('Connect my account')],
  code: [
    '',
    unconnected,
    async (page) => {
      await click('Connect my account')(page);
      await page.getByLabel('E-mail').fill('robin@example.org');
      await click('E-mail me a code')(page);
      await page.getByLabel('6-digit code').fill('999999');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByText('That code is not right').waitFor();
    },
  ],
  wait: [
    '',
    unconnected,
    async (page) => {
      await click('Connect my account')(page);
      await page.getByLabel('E-mail').fill('busy@example.org');
      await click('E-mail me a code')(page);
      await page.getByText('Too many').waitFor();
    },
  ],
  empty: ['', { items: 'none' }],
  items: ['', {}],
  many: ['', { items: 'many' }],
  lines: [
    '',
    {
      waiting: [],
      state: {
        connection: 'reconnect',
        offline: 'The service cannot be reached. What you see may be a few minutes old.',
      },
    },
  ],
  dropping: ['', {}, dropping],
  sheet: ['#/items/grouping', { items: 'sheet60' }],
  finder: ['#/items/fox', {}, (page) => page.keyboard.press('Control+k')],
  finderFound: [
    '#/items/fox',
    {},
    async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find anything' }).fill('fox');
    },
  ],
  review: ['#/items/fox', {}],
  changePhotos: ['#/items/fox', {}, openPhotosPanel],
  changePhotosSent: ['#/items/fox', {}, (page) => changePhotos(page, 'sending')],
  changePhotosTaken: ['#/items/fox', {}, (page) => changePhotos(page, 'taken')],
  changePhotosIgnored: ['#/items/fox', {}, (page) => changePhotos(page, 'ignored')],
  changePhotosMixed: ['#/items/fox', {}, (page) => changePhotos(page, 'mixed')],
  reviewSince: ['#/items/fox', {}, (page) => page.keyboard.press('c')],
  reviewComps: [
    '#/items/fox',
    {},
    async (page) => {
      await click('Similar items')(page);
      await page.getByText('asking prices').scrollIntoViewIfNeeded();
      await page.getByRole('region', { name: 'Similar items' }).scrollIntoViewIfNeeded();
    },
  ],
  reviewOffers: [
    '#/items/fox',
    {},
    async (page) => {
      await click('Change…')(page);
      await page.getByRole('switch', { name: 'Best Offer', exact: true }).press('Space');
      await click('Adapt to another site…')(page);
      await page.getByRole('form', { name: 'Adapt' }).scrollIntoViewIfNeeded();
    },
  ],
  reviewGerman: [
    '#/items/fox',
    { language: 'de' },
    async (page) => {
      await page.keyboard.press('c');
      await click('Ähnliche Artikel')(page);
      await page.getByText('Angebotspreise').scrollIntoViewIfNeeded();
    },
  ],
  reviewEnd: ['#/items/fox', {}, (page) => page.getByRole('region', { name: 'Description' }).scrollIntoViewIfNeeded()],
  refused: [
    '#/items/fox',
    {},
    async (page) => {
      await page.getByLabel('Title', { exact: true }).fill('A forbidden fox');
      await page.getByLabel('Title', { exact: true }).press('Control+Enter');
      await click('Publish…')(page);
      await page.getByText('does not allow the word').waitFor();
    },
  ],
  writing: ['#/items/camera', {}],
  uploading: ['#/items/book', {}],
  stopped: ['#/items/laptop', {}],
  live: ['#/items/shoes', {}],
  endedItem: [
    '#/items/shoes',
    {},
    (page) =>
      page.evaluate(() => {
        window.fake.listings.lst_shoes.status = 'ended';
        window.fake.changed('listings');
      }),
  ],
  toast: [
    '#/items/fox',
    {},
    async (page) => {
      await page.locator('textarea').first().waitFor();
      await page.keyboard.press('n');
      await page.getByRole('alert').first().waitFor();
    },
  ],
  keys: ['', {}, (page) => page.keyboard.press('?')],
  ...questionShots,
  liveEdit: ['#/items/shoes', {}, click('Edit live…')],
  fewer: ['', { waiting: ['extras'] }, (page) => page.waitForTimeout(1300)],
  broken: ['#/approvals', { brokenAt: 118 }],
  history: [
    '#/approvals',
    { state: { ledgerAlarm: { kind: 'cut', rows: 40, keptRows: 42, row: null, copy: null, at: 0 } } },
    async (page) => {
      const question = page.getByRole('button', { name: /Published.*Publish on the US site/ }).first();
      await question.click();
      await question.scrollIntoViewIfNeeded();
    },
  ],
  limits: ['#/assistants', {}, click('Change limits')],
  account: ['#/account', { standing: unpaid }],
  accountPlans: ['#/account', { standing: unpaid }, scrolled('All plans')],
  accountMoney: [
    '#/account',
    {},
    async (page) => {
      await click('Show invoices')(page);
      await page.getByRole('textbox', { name: 'Promo code' }).fill('PRACTICE10');
      await page.keyboard.press('Enter');
      await scrolled('Invoices and codes')(page);
    },
  ],
  accountProfile: ['#/account', {}, scrolled('Profile at the service')],
  accountEnd: [
    '#/account',
    { state: { service: { kind: 'remote', url: 'https://service.example' } } },
    scrolled('Disconnect'),
  ],
  accountNone: ['#/account', { state: { connection: 'reconnect' } }],
  accountGerman: ['#/account', { standing: unpaid, language: 'de' }, scrolled('Alle Tarife')],
  news: ['#/notifications', {}],
  newsNone: ['#/notifications', { noNotices: true }],
  newsGerman: ['#/notifications', { language: 'de' }],
  help: ['#/help', {}],
  helpEnd: ['#/help', {}, scrolled('Write to the service')],
  helpGerman: ['#/help', { language: 'de' }, scrolled('Wenn etwas nicht geht')],
  tour: ['', { items: 'none', tour: true }],
  tourItems: ['', { tour: true }],
  tourEnd: [
    '',
    { tour: true, language: 'de' },
    async (page) => {
      await click('Weiter')(page);
      await click('Weiter')(page);
    },
  ],
  offline: ['', { state: { offline: 'The service cannot be reached.' } }],
  assistants: ['#/assistants', { pairings: true, offers: true }],
  listings: ['#/listings', {}],
  listingsGrid: ['#/listings', {}, (page) => page.getByText('Photos', { exact: true }).click()],
  listingsMany: ['#/listings', { listings: 100_000 }],
  listingsNone: ['#/listings', { listings: 0 }],
  listingsSelected: [
    '#/listings',
    {},
    async (page) => {
      await page.getByLabel(/^Select Film camera, blue, no. 1$/).check();
      await click('Select all shown')(page);
    },
  ],
  listingsFiltered: [
    '#/listings',
    {},
    async (page) => {
      await page.getByRole('tab', { name: /^Live/ }).click();
      await click('Add filter')(page);
      await page.getByRole('menuitem', { name: 'Site' }).click();
      await click('Add filter')(page);
      await page.getByRole('menuitem', { name: 'Price' }).click();
    },
  ],
  itemsSelected: ['', { items: 'ready' }, (page) => page.getByRole('button', { name: /Select all/ }).click()],
  listingsChosen: [
    '#/listings',
    {},
    async (page) => {
      await page.getByLabel(/^Select Film camera, blue, no. 1$/).check();
      await click('Select all shown')(page);
      await click(/^Change \d+…/)(page);
    },
  ],
  listingsChange: [
    '#/listings',
    {},
    async (page) => {
      await page.getByLabel(/^Select Film camera, blue, no. 1$/).check();
      await click('Select all shown')(page);
      await click(/^Change \d+…/)(page);
      await click(/^Change \d+ (live|drafts?,)/)(page);
      await page.waitForTimeout(1_400);
    },
  ],
  listingsPrices: ['#/listings', {}, loweredPrices(10)],
  listingsEnded: ['#/listings', {}, ended(3)],
  listing: ['#/listings/lst_fox', {}],
  listingLive: ['#/listings/lst_0', {}],
  listingSold: [
    '#/listings/lst_fox',
    {},
    (page) =>
      page.evaluate(() => {
        window.fake.listings.lst_fox.status = 'sold';
        window.fake.changed('listings');
      }),
  ],
  listingsGerman: ['#/listings', { language: 'de' }],
  insights: ['#/insights', {}],
  insightsRead: [
    '#/insights',
    {},
    async (page) => {
      await click('Show sales by item')(page);
      await click('Show the day')(page);
      await page.getByRole('region', { name: 'One day' }).first().scrollIntoViewIfNeeded();
    },
  ],
  insightsNone: ['#/insights', { listings: 0, noSales: true }],
  insightsGerman: ['#/insights', { language: 'de' }],
  assistantsNone: ['#/assistants', { noAssistants: true }],
  assistantsConnect: [
    '#/assistants',
    {},
    (page) => page.getByRole('region', { name: 'How an assistant connects' }).scrollIntoViewIfNeeded(),
  ],
  assistantsGerman: ['#/assistants', { pairings: true, language: 'de' }, click('Grenzen ändern')],
  selling: ['#/selling', {}],
  sellingBare: ['#/selling', { selling: { bare: true } }, click('Sign in at the marketplace…')],
  sellingDefaults: [
    '#/selling',
    {},
    async (page) => {
      await page.getByLabel('Postcode').fill('');
      await page.getByLabel('City').fill('Berlin');
      await click('Save the defaults…')(page);
      await page.getByRole('heading', { name: 'Defaults' }).scrollIntoViewIfNeeded();
    },
  ],
  sellingTemplate: [
    '#/selling',
    {},
    async (page) => {
      await click('Edit Small ceramics')(page);
      await page.getByRole('form', { name: 'Edit' }).getByLabel('Site').selectOption('MKT_DE');
      await click('Check')(page);
      await click('Publishing options')(page);
      await page.getByRole('region', { name: 'Templates' }).scrollIntoViewIfNeeded();
    },
  ],
  sellingRefused: ['#/selling', { selling: { refused: ['readMarketStatus', 'listTemplates', 'readSellerDefaults'] } }],
  sellingGerman: [
    '#/selling',
    { language: 'de' },
    async (page) => {
      await page.getByLabel('Rücknahmefrist in Tagen').fill('500');
      await click('Vorgaben speichern…')(page);
    },
  ],
  sellingPrompt: [
    '#/selling',
    {},
    async (page) => {
      await page.getByLabel('Return period in days').fill('60');
      await click('Save the defaults…')(page);
      await page.waitForTimeout(1_400);
    },
  ],
  itemsGerman: ['#/items/fox', { language: 'de' }],
  guessed: [
    '#/items/fox',
    { items: 'guessed' },
    async (page) => {
      await page.locator('[data-tile]').nth(1).click();
      await page
        .locator('[data-tile]')
        .nth(2)
        .click({ modifiers: ['Shift'] });
    },
  ],
  guessedList: ['', { items: 'guessed' }],
  barcode: ['#/items/book', { items: 'guessed' }],
  photo: [
    '#/items/fox',
    { items: 'guessed' },
    async (page) => {
      await page.locator('[data-tile]').nth(1).dblclick();
      await page.getByLabel('From the left').fill('15');
      await page.getByLabel('From the top').fill('10');
    },
  ],
  photoGerman: [
    '#/items/fox',
    { items: 'guessed', language: 'de' },
    (page) => page.locator('[data-tile]').nth(1).dblclick(),
  ],
  settingsPhotos: ['#/settings', {}, (page) => page.getByText('Watched folder').first().scrollIntoViewIfNeeded()],
  settings: ['#/settings', {}],
  settingsForget: [
    '#/settings',
    {},
    async (page) => {
      const button = page.getByRole('button', { name: /including the key|auch den Schlüssel/ });
      await button.scrollIntoViewIfNeeded();
      await button.click();
    },
  ],
};
