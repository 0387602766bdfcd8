import type { Page } from 'playwright/test';
import type { Scenario } from '../../../helpers/fakes/fakeCompanion.ts';
import { drawSample } from '../../../helpers/sample.ts';
import { expectNoAxeProblem } from './axe.ts';
import { expect, test } from '../page.ts';

type Screen = { hash: string; scenario: Scenario; then?: (page: Page) => Promise<void> };

/** Waits until the approve button is enabled, which changes its colours. */
const waitForEnabledButtons = async (page: Page): Promise<void> => {
  await page.getByRole('dialog').waitFor();
  await expect(page.getByRole('dialog').locator('button:disabled')).toHaveCount(0);
};

const openBatch = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Select .*ready to review/ }).click();
  await page.getByRole('button', { name: /^Publish \d+…/ }).click();
  await waitForEnabledButtons(page);
};

const screens: Record<string, Screen> = {
  'first run': {
    hash: '',
    scenario: { state: { connection: 'none', keychain: { kind: 'memory', problem: 'Locked.' } } },
  },
  'sign-in with an e-mailed code': {
    hash: '',
    scenario: { state: { connection: 'none', service: { kind: 'remote', url: 'https://service.example' } } },
    then: async (page) => {
      await page.getByRole('button', { name: 'Connect my account' }).click();
      await page.getByLabel('E-mail').fill('robin@example.org');
      await page.getByRole('button', { name: 'E-mail me a code' }).click();
      await page.getByLabel('6-digit code').waitFor();
    },
  },
  'Sell for real in practice mode': {
    hash: '',
    scenario: { state: { connection: 'none' } },
    then: async (page) => {
      await page.getByRole('button', { name: 'What it takes' }).click();
      await page.getByLabel('Address of the service').fill('https://service.example');
    },
  },
  'the Find dialog': {
    hash: '#/listings',
    scenario: {},
    then: async (page) => {
      await page.locator('main h1').waitFor({ state: 'attached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find anything' }).fill('fox');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
  'no items': { hash: '', scenario: { items: 'none' } },
  'items while offline': {
    hash: '',
    scenario: { state: { connection: 'reconnect', offline: 'The service cannot be reached.' } },
  },
  'many items': { hash: '', scenario: { items: 'many' } },
  'an item in review': { hash: '#/items/fox', scenario: {} },
  'an item in review with all sections open': {
    hash: '#/items/fox',
    scenario: {},
    then: async (page) => {
      await page.getByRole('button', { name: /changed since it was written/ }).click();
      await page.getByRole('button', { name: 'Similar items' }).click();
      await page.getByText('The same as a table').click();
      await page.getByRole('button', { name: 'Change…' }).click();
      await page.getByRole('switch', { name: 'Best Offer' }).press('Space');
      await page.getByRole('button', { name: 'Change category' }).click();
      await page.getByRole('button', { name: 'Edit description' }).click();
      await page.getByRole('button', { name: 'Adapt to another site…' }).click();
    },
  },
  'an item being generated': { hash: '#/items/book', scenario: {} },
  'a stopped item': { hash: '#/items/laptop', scenario: {} },
  'a live item': { hash: '#/items/shoes', scenario: {} },
  'a live item on two channels': {
    hash: '#/items/shoes',
    scenario: { onCorner: true },
    then: (page) => page.getByRole('button', { name: /^Change there/ }).click(),
  },
  'a live listing with the form for more channels': {
    hash: '#/listings/lst_shoes',
    scenario: {},
    then: (page) => page.getByRole('form', { name: 'Publish on more channels' }).waitFor(),
  },
  'a fix for missing policies': { hash: '#/items/fox', scenario: { refused: 'MISSING_POLICIES' } },
  'the keys dialog': {
    hash: '',
    scenario: {},
    then: async (page) => {
      await page.locator('main :is(h1, h2)').first().waitFor({ state: 'attached' });
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    },
  },
  approvals: {
    hash: '#/approvals',
    scenario: { waiting: ['publish'] },
    then: async (page) => {
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  },
  'no approvals': { hash: '#/approvals', scenario: { history: false } },
  'two pending prompts': { hash: '', scenario: { waiting: ['publish', 'end'] }, then: waitForEnabledButtons },
  'a prompt with changes': { hash: '', scenario: { waiting: ['revise'] }, then: waitForEnabledButtons },
  'a prompt for an irreversible action': { hash: '', scenario: { waiting: ['end'] }, then: waitForEnabledButtons },
  'a prompt with names chosen by others': { hash: '', scenario: { waiting: ['masked'] }, then: waitForEnabledButtons },
  'an undo window in a prompt': {
    hash: '',
    scenario: { waiting: ['end'] },
    then: async (page) => {
      await page.evaluate(() => (window.fake.holdMs = 60_000));
      await page.getByRole('button', { name: 'End for good' }).click();
      await page.getByRole('button', { name: 'Take it back' }).waitFor();
    },
  },
  'an undo window in a banner': { hash: '', scenario: { waiting: ['held'] } },
  'an alarm in a prompt': {
    hash: '',
    scenario: { waiting: ['differing'] },
    then: (page) => page.getByRole('button', { name: 'Show', exact: true }).click(),
  },
  'an alarm in a banner': { hash: '#/approvals', scenario: { waiting: ['differing'] } },
  'an unconfirmed approval': { hash: '#/approvals?approval=apr_7', scenario: { waiting: ['unknown'] } },
  'a mixed batch': { hash: '', scenario: { batches: ['mixed'] }, then: waitForEnabledButtons },
  'an assistant’s batch': { hash: '', scenario: { batches: ['assistant'] }, then: waitForEnabledButtons },
  'two pending batches': {
    hash: '#/approvals',
    scenario: { batches: ['assistant', 'assistantEnds'] },
    then: (page) => page.getByRole('button', { name: 'Not now' }).click(),
  },
  'selected items': {
    hash: '',
    scenario: { items: 'ready' },
    then: (page) => page.getByRole('button', { name: /Select all/ }).click(),
  },
  'the form that adapts selected items to another site': {
    hash: '',
    scenario: { items: 'ready' },
    then: async (page) => {
      await page.getByRole('button', { name: /Select all/ }).click();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Adapt to another site…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'a batch': { hash: '', scenario: { items: 'ready' }, then: openBatch },
  'a long batch': { hash: '', scenario: { items: 'ready200' }, then: openBatch },
  'a finished batch': {
    hash: '',
    scenario: { items: 'ready' },
    then: async (page) => {
      await page.evaluate(() => (window.fake.beatMs = 5));
      await openBatch(page);
      await page.getByRole('button', { name: /^Publish \d+ for/ }).click();
      await page.getByRole('heading', { name: /need you/ }).waitFor();
    },
  },
  'a fix for the weight': { hash: '#/items/fox', scenario: { refused: 'PACKAGE_WEIGHT_TOO_HEAVY' } },
  'a fix for a missing location': { hash: '#/items/fox', scenario: { refused: 'MISSING_LOCATION' } },
  'a fix for ambiguous policies': { hash: '#/items/fox', scenario: { refused: 'TARGET_POLICIES_CHOOSE' } },
  'a temporary marketplace error': { hash: '#/items/fox', scenario: { refused: 'MARKET_TRANSIENT' } },
  'the form for a live edit': {
    hash: '#/items/shoes',
    scenario: {},
    then: (page) => page.getByRole('button', { name: 'Edit live…' }).click(),
  },
  'a prompt for extras': {
    hash: '',
    scenario: { waiting: ['extras'] },
    then: (page) => expect(page.getByRole('button', { name: /^Approve up to/ })).toBeEnabled(),
  },
  'a manipulated history': { hash: '#/approvals', scenario: { brokenAt: 118 } },
  'the history with an alarm and an expanded approval': {
    hash: '#/approvals',
    scenario: {
      state: {
        ledgerAlarm: { kind: 'cut', rows: 40, keptRows: 42, row: null, copy: null, at: 0 },
        keychain: { kind: 'memory', problem: 'Locked.' },
      },
    },
    then: async (page) => {
      await page
        .getByRole('button', { name: /Publish on the US site/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Signed' }).click();
      await page.getByRole('list', { name: 'Steps of this question' }).waitFor();
    },
  },
  'the limits of an assistant': {
    hash: '#/assistants',
    scenario: {},
    then: (page) => page.getByRole('button', { name: 'Change limits' }).first().click(),
  },
  assistants: { hash: '#/assistants', scenario: { pairings: true, offers: true } },
  listings: { hash: '#/listings', scenario: {} },
  'listings as photos': {
    hash: '#/listings',
    scenario: {},
    then: (page) => page.getByText('Photos', { exact: true }).click(),
  },
  'no listings': { hash: '#/listings', scenario: { listings: 0 } },
  'a listing': { hash: '#/listings/lst_fox', scenario: {} },
  'a bulk edit': {
    hash: '#/listings',
    scenario: {},
    then: async (page) => {
      await page.getByLabel('Select Film camera, blue, no. 1', { exact: true }).check();
      await page.getByRole('button', { name: 'Select all shown' }).click();
      await page.getByRole('button', { name: /^Change \d+…/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  insights: {
    hash: '#/insights',
    scenario: {},
    then: async (page) => {
      await page.getByRole('button', { name: 'Show sales by item' }).click();
      await page.getByRole('button', { name: 'Show the day' }).click();
    },
  },
  'the photos of an item to check': {
    hash: '#/items/fox',
    scenario: { items: 'guessed' },
    then: (page) => page.locator('[data-tile]').nth(1).click(),
  },
  'selling setup': { hash: '#/selling', scenario: {} },
  'selling setup without a marketplace': {
    hash: '#/selling',
    scenario: { selling: { bare: true } },
    then: (page) => page.getByRole('button', { name: 'Sign in at the marketplace…' }).click(),
  },
  'selling setup with errors': {
    hash: '#/selling',
    scenario: {},
    then: async (page) => {
      await page.getByRole('button', { name: 'Publishing options' }).click();
      await page.getByLabel('Postcode').fill('');
      await page.getByRole('button', { name: 'Save the defaults…' }).click();
      await page.getByRole('button', { name: 'Edit Small ceramics' }).click();
      await page.getByRole('form', { name: 'Edit' }).getByLabel('Site').selectOption('MKT_DE');
      await page.getByRole('button', { name: 'Check', exact: true }).click();
    },
  },
  'no assistants': { hash: '#/assistants', scenario: { noAssistants: true } },
  account: {
    hash: '#/account',
    scenario: {
      standing: {
        plan: { code: 'free', name: 'Free' },
        upgrade: { offerTrial: true, suggestedPlan: 'lite', how: { body: { tier: 'lite', trial: true } } },
      },
    },
    then: (page) => page.getByRole('button', { name: 'Show invoices' }).click(),
  },
  'account without a connection': { hash: '#/account', scenario: { state: { connection: 'reconnect' } } },
  notifications: { hash: '#/notifications', scenario: {} },
  'no notifications': { hash: '#/notifications', scenario: { noNotices: true } },
  help: {
    hash: '#/help',
    scenario: { tour: true },
    then: (page) => page.getByRole('button', { name: 'Send…' }).click(),
  },
  settings: { hash: '#/settings', scenario: {} },
  'the sign-in before a set-up of a proof': {
    hash: '#/settings',
    scenario: {},
    then: async (page) => {
      await page.getByRole('button', { name: 'E-mail me a code' }).click();
      await page.getByLabel('6-digit code').waitFor();
    },
  },
  'passkeys and the start of a recovery': {
    hash: '#/settings',
    scenario: { proof: 'twoPasskeys' },
    then: (page) => page.getByRole('button', { name: 'I lost my key or PIN' }).click(),
  },
  'a running recovery': {
    hash: '#/settings',
    scenario: { proof: 'recovering' },
    then: (page) => page.getByRole('button', { name: 'Keep them' }).waitFor(),
  },
  'a confirmation in a small window': {
    hash: '',
    scenario: { waiting: ['publish'], proof: 'passkey' },
    then: async (page) => {
      await page.getByRole('button', { name: /^Publish for/ }).click();
      await page.getByText('Confirm in the window that just opened.').waitFor();
    },
  },
  'a confirmation on a page of its own': {
    hash: '',
    scenario: { waiting: ['publish'], proof: 'passkey' },
    then: async (page) => {
      await page.evaluate(() => {
        window.open = () => null;
      });
      await page.getByRole('button', { name: /^Publish for/ }).click();
      await page.getByRole('link', { name: 'Open the confirmation page' }).waitFor();
    },
  },
  'settings of the paused desktop app': {
    hash: '#/settings',
    scenario: {
      state: { paused: true },
      shell: { startAtLogin: true, addFromFileManager: false, update: { state: 'ready', version: '0.2.0' } },
    },
  },
};

/** Screens share most components, so a sample is enough; a smaller sample also checks the dark colours. */
const checkedScreens = drawSample('screens for axe', Object.entries(screens), 18);
const dark = new Set(drawSample('dark screens', checkedScreens, 5));

for (const row of checkedScreens) {
  const [name, { hash, scenario, then }] = row;
  test(`axe finds no problem: ${name}`, async ({ open }) => {
    const page = await open(hash, scenario);
    await page.locator('main, [role=dialog]').first().waitFor();
    await then?.(page);
    await expectNoAxeProblem(page, { dark: dark.has(row) });
  });
}

for (const hash of ['#/items/fox', '#/listings/lst_fox'])
  test(`axe finds no problem with an opened listing or item in a narrow window: ${hash}`, async ({ open }) => {
    const page = await open(hash, {}, { width: 480 });
    await page.locator('main h2:visible').first().waitFor();
    await expectNoAxeProblem(page, { dark: false });
  });
