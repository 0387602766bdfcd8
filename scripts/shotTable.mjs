// What scripts/shots.mjs takes pictures of. A table: long, and with nothing else in it.
const click =
  (name, role = 'button') =>
  (page) =>
    page.getByRole(role, { name }).first().click();
const dropping = (page) =>
  page.evaluate(() => {
    const transfer = new window.DataTransfer();
    transfer.items.add(new window.File(['x'], 'a.jpg', { type: 'image/jpeg' }));
    window.dispatchEvent(new window.DragEvent('dragover', { dataTransfer: transfer, cancelable: true }));
  });

const scrolled = (name) => (page) =>
  page
    .getByRole('region', { name })
    .last()
    .evaluate((region) => region.scrollIntoView());
/** A plan that was never paid for, so that others can be had. */
const unpaid = {
  plan: { code: 'free', name: 'Free', photosPerListing: 4 },
  upgrade: {
    recommended: true,
    suggestedPlan: 'lite',
    offerTrial: true,
    how: { path: '/billing/external-checkout-token', body: { tier: 'lite', trial: true } },
  },
};

const batch = async (page) => {
  await click(/Select .*ready to review/)(page);
  await click(/^Publish \d+…/)(page);
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(1_400);
};
const batchIn = (select, publish) => async (page) => {
  await click(select)(page);
  await click(publish)(page);
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(1_400);
};
const asked = async (page) => {
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(1_400);
};
const scrolledIn = (name) => async (page) => {
  await asked(page);
  await page.getByRole('dialog').getByText(name).last().scrollIntoViewIfNeeded();
};
const leave = async (page) => {
  await asked(page);
  await click('Not now')(page);
};
const shownFirst = async (page) => {
  await page.evaluate(() => (window.location.hash = `#/approvals?approval=${window.fake.approvals[0].approvalId}`));
  await page.getByRole('dialog').waitFor();
};
const heldEnd = async (page) => {
  await asked(page);
  await page.evaluate(() => (window.fake.holdMs = 5_000));
  await click('End the listing')(page);
  await page.getByText(/^Ending in/).waitFor();
};
/** The fox is being published, and somebody writes a title. */
const locked = async (page) => {
  await page.getByLabel('Title', { exact: true }).waitFor();
  await page.evaluate(() => {
    window.fake.approvals = [window.fake.publish({ state: 'sending' })];
    window.fake.deciding = ['lst_fox'];
    window.fake.changed('approvals');
  });
  await page.getByText('Being published').first().waitFor();
  await page.getByLabel('Title', { exact: true }).fill('A fox with another title');
  await page.getByLabel('Title', { exact: true }).press('Control+Enter');
  await page.getByText('Saved as soon as it is published').waitFor();
};
const lockedRow = async (page) => {
  await page.getByRole('table').waitFor();
  await page.evaluate(() => {
    const one = window.fake.publish({ state: 'sending' });
    one.prompt.target.listingId = 'lst_1';
    window.fake.approvals = [one];
    window.fake.changed('approvals');
  });
  await page.getByText('Being published').first().waitFor();
};
const extrasOff = {
  allowance: {
    remaining: 1,
    creditBalance: 3,
    nextListing: { kind: 'plan' },
    resetsAt: null,
    extras: { available: true, enabled: false, rateCents: 40, approval: null },
  },
};
const batchSent = (ms) => async (page) => {
  await batch(page);
  await click(/^Publish \d+ for/)(page);
  await page.waitForTimeout(ms);
};

/** name → where, what the fake should hold, and what to do there. */
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
  connect: ['', { state: { connection: 'none' } }, click('Connect my account')],
  code: [
    '',
    { state: { connection: 'none' } },
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
    { state: { connection: 'none' } },
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
  review: ['#/items/fox', {}],
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
      await page.getByRole('switch').press('Space');
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
  keys: ['', {}, (page) => page.keyboard.press('?')],
  approvals: ['#/approvals', { waiting: ['publish', 'revise'] }, (page) => page.keyboard.press('Escape')],
  approvalsEmpty: ['#/approvals', { history: false }],
  prompt: ['', { waiting: ['publish', 'revise', 'end'] }, (page) => page.waitForTimeout(1300)],
  promptRevise: ['#/items/shoes', { waiting: ['revise'] }],
  promptEnd: ['#/items/shoes', { waiting: ['end'] }, (page) => page.waitForTimeout(1300)],
  promptChanged: [
    '',
    { waiting: ['publish'] },
    async (page) => {
      await page.getByRole('dialog').waitFor();
      await page.evaluate(() => {
        const old = window.fake.approvals[0];
        const next = {
          ...old,
          approvalId: 'apr_9',
          digest: 'digest-9',
          shownAt: Date.now(),
          sinceShown: [{ key: 'price', label: 'Price', before: 'US$34.99', after: 'US$29.99' }],
          prompt: {
            ...old.prompt,
            feeNotice:
              'First listing on the US site: the marketplace charges its own fees for each listing. Your yes also agrees to this notice.',
            money: {
              ...old.prompt.money,
              state: 'unavailable',
              lines: [],
              totalMinor: null,
              reason: 'The marketplace did not answer.',
            },
            yes: 'Publish, fee unknown',
          },
        };
        window.fake.approvals = [{ ...old, state: 'superseded', supersededBy: 'apr_9' }, next];
        window.fake.changed('approvals');
      });
      await page.getByText('Changed since you looked').waitFor();
    },
  ],
  promptDone: [
    '',
    { waiting: ['publish'] },
    async (page) => {
      await page.waitForTimeout(1500);
      await click('Publish for US$1.55')(page);
      await page.getByText('It is live.').waitFor();
    },
  ],
  decline: ['', { waiting: ['publish'] }, click('Decline')],
  held: [
    '#/items/fox',
    {},
    async (page) => {
      await page.getByLabel('Title', { exact: true }).focus();
      await page.evaluate(() => {
        window.fake.approvals = [window.fake.publish()];
        window.fake.changed('approvals');
      });
      await page.getByText('is waiting for your answer').waitFor();
    },
  ],
  selecting: [
    '',
    { items: 'ready' },
    async (page) => {
      await page
        .getByLabel(/^Select Red fox/)
        .first()
        .check({ force: true });
      await page
        .getByLabel(/^Select Film/)
        .nth(1)
        .click({ modifiers: ['Shift'] });
    },
  ],
  promptMasked: ['', { waiting: ['masked'] }, asked],
  promptMaskedEnd: ['', { waiting: ['masked'] }, scrolledIn(/^Item specifics/)],
  promptPhotos: [
    '',
    { waiting: ['publish'] },
    async (page) => {
      await asked(page);
      await page.getByRole('button', { name: 'Photo 2 of 5' }).click();
    },
  ],
  promptGerman: ['', { waiting: ['publish'], language: 'de' }, asked],
  promptUnknown: ['', { waiting: ['unknown'] }, shownFirst],
  promptLong: ['#/items/shoes', { waiting: ['revise'] }, scrolledIn('What changes')],
  promptHeld: ['', { waiting: ['end'] }, heldEnd],
  promptHeldGerman: ['', { waiting: ['held'], language: 'de' }, shownFirst],
  promptHeldLine: ['#/items/shoes', { waiting: ['held'] }],
  promptTakenBack: [
    '',
    { waiting: ['end'] },
    async (page) => {
      await heldEnd(page);
      await click('Take it back')(page);
    },
  ],
  differs: ['', { waiting: ['differing'] }, (page) => click('Show')(page)],
  differsLine: ['#/approvals', { waiting: ['differing', 'publish'] }, (page) => page.keyboard.press('Escape')],
  locked: ['#/items/fox', {}, locked],
  lockedRows: ['#/listings', {}, lockedRow],
  batchSix: ['', { items: 'ready6' }, batch],
  batchSixGerman: ['', { items: 'ready6', language: 'de' }, batchIn(/bereit/i, /veröffentlichen…/)],
  batchAssistant: ['', { batches: ['assistant'] }, asked],
  batchInLine: ['#/approvals', { batches: ['assistant', 'assistantEnds'], waiting: ['revise'] }, leave],
  batchMixed: ['', { batches: ['mixed'] }, asked],
  batchMixedEnd: ['', { batches: ['mixed'] }, scrolledIn(/^Delete/)],
  batchMixedGerman: ['', { batches: ['mixed'], language: 'de' }, asked],
  batchHeld: [
    '',
    { batches: ['mixed'] },
    async (page) => {
      await asked(page);
      await page.evaluate(() => (window.fake.holdMs = 5_000));
      await click(/^Publish 4/)(page);
    },
  ],
  batchMixedOver: [
    '',
    { batches: ['mixed'] },
    async (page) => {
      await asked(page);
      await page.evaluate(() => (window.fake.beatMs = 20));
      await click(/^Publish 4/)(page);
      await page.waitForTimeout(800);
    },
  ],
  extrasOff: [
    '#/account',
    { standing: extrasOff },
    async (page) => {
      await click('Set aside extras…')(page);
      await page.getByText('Extras are off').scrollIntoViewIfNeeded();
    },
  ],
  batch: ['', { items: 'ready' }, batch],
  batchEnd: [
    '',
    { items: 'ready' },
    async (page) => {
      await batch(page);
      await page.getByRole('checkbox', { name: 'Publish Film camera no. 2', exact: true }).uncheck();
      await click('Everything about Red fox figurine no. 1')(page);
    },
  ],
  batchSending: ['', { items: 'ready' }, batchSent(700)],
  batchOver: ['', { items: 'ready' }, batchSent(5_000)],
  fixWeight: [
    '#/items/fox',
    {},
    async (page) => {
      await click('Publish…')(page);
      await page.getByRole('region', { name: 'What can be done' }).waitFor();
    },
  ],
  fixHeavy: ['#/items/fox', { refused: 'PACKAGE_WEIGHT_TOO_HEAVY' }],
  fixPlace: ['#/items/fox', { refused: 'MISSING_LOCATION' }],
  fixReceipt: [
    '#/approvals',
    { refused: 'TARGET_POLICIES_CHOOSE' },
    async (page) => {
      await page.evaluate(() => {
        window.fake.record[0].facts.approvalId = 'apr_refused';
        window.fake.changed('approvals');
      });
      await page.waitForTimeout(300);
      await page.getByRole('listitem').first().getByRole('button').click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  liveEdit: ['#/items/shoes', {}, click('Edit live…')],
  fewer: ['', { waiting: ['extras'] }, (page) => page.waitForTimeout(1300)],
  broken: ['#/approvals', { brokenAt: 118 }],
  history: [
    '#/approvals',
    { state: { ledgerAlarm: { kind: 'cut', rows: 40, keptRows: 42, row: null, copy: null, at: 0 } } },
    async (page) => {
      const question = page.getByRole('button', { name: /Publish on MKT_US.*Done/ }).first();
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
      await click('Read the invoices')(page);
      await page.getByRole('textbox', { name: 'Promo code' }).fill('AUTUMN10');
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
  listingsChosen: [
    '#/listings',
    {},
    async (page) => {
      await page.getByLabel(/^Select Film camera, blue, no. 1$/).check();
      await click('Select all shown')(page);
      await click(/^Change price of/)(page);
    },
  ],
  listingsChange: [
    '#/listings',
    {},
    async (page) => {
      await page.getByLabel(/^Select Film camera, blue, no. 1$/).check();
      await click('Select all shown')(page);
      await click(/^Change price of/)(page);
      await click(/^Ask to change/)(page);
      await page.waitForTimeout(1_400);
    },
  ],
  listing: ['#/listings/lst_fox', {}],
  listingsGerman: ['#/listings', { language: 'de' }],
  insights: ['#/insights', {}],
  insightsRead: [
    '#/insights',
    {},
    async (page) => {
      await click('Read the sales of each item')(page);
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
      await page.getByLabel('Town').fill('Berlin');
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
      await page.getByLabel('Tage zur Rückgabe').fill('500');
      await click('Vorgaben speichern…')(page);
    },
  ],
  sellingPrompt: [
    '#/selling',
    {},
    async (page) => {
      await page.getByLabel('Days to return').fill('60');
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
};
