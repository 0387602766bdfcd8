// The pictures of prompts that scripts/shots.mjs takes, in the format of scripts/shotTable.mjs.
import {
  click,
  batch,
  batchIn,
  asked,
  scrolledIn,
  leave,
  escape,
  shownFirst,
  strangeHost,
  itemShown,
  contradictedRow,
  heldEnd,
  locked,
  lockedRow,
  extrasOff,
  batchSent,
} from './shotActs.mjs';

export const questionShots = {
  approvals: ['#/approvals', { waiting: ['publish', 'revise', 'end'] }, escape],
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
  contradicted: ['', { waiting: ['contradicted'] }, shownFirst],
  contradictedGerman: ['', { waiting: ['contradicted'], language: 'de' }, shownFirst],
  contradictedItem: ['#/items/fox', { waiting: ['contradicted'] }, itemShown],
  contradictedItemGerman: ['#/items/fox', { waiting: ['contradicted'], language: 'de' }, itemShown],
  contradictedLine: ['#/approvals', { waiting: ['contradicted', 'publish'] }, leave],
  strangeHost: ['', { waiting: ['strangeHost'] }, strangeHost],
  strangeHostGerman: ['', { waiting: ['strangeHost'], language: 'de' }, strangeHost],
  promptPolicies: ['', { waiting: ['policies'] }, scrolledIn(/^(Return policy|Rücknahmebedingungen)/)],
  promptPoliciesGerman: [
    '',
    { waiting: ['policies'], language: 'de' },
    scrolledIn(/^(Return policy|Rücknahmebedingungen)/),
  ],
  promptTemplate: ['', { waiting: ['template'] }, asked],
  promptTemplateGerman: ['', { waiting: ['template'], language: 'de' }, asked],
  locked: ['#/items/fox', {}, locked],
  lockedRows: ['#/listings', {}, lockedRow],
  batchSix: ['', { items: 'ready6' }, batch],
  batchWeak: ['', { items: 'ready', weak: true }, batch],
  batchSixGerman: ['', { items: 'ready6', language: 'de' }, batchIn(/bereit/i, /veröffentlichen…/)],
  batchAssistant: ['', { batches: ['assistant'] }, asked],
  batchInLine: ['#/approvals', { batches: ['assistant', 'assistantEnds'], waiting: ['revise'] }, leave],
  batchMixed: ['', { batches: ['mixed'] }, asked],
  batchMixedEnd: ['', { batches: ['mixed'] }, scrolledIn(/^Delete/)],
  batchMixedGerman: ['', { batches: ['mixed'], language: 'de' }, asked],
  batchBlocked: ['', { batches: ['blocked'] }, asked],
  batchBlockedGerman: ['', { batches: ['blocked'], language: 'de' }, asked],
  batchContradicted: ['', { batches: ['assistant'] }, contradictedRow],
  batchContradictedGerman: ['', { batches: ['assistant'], language: 'de' }, contradictedRow],
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
  extrasOff: ['#/account', { standing: extrasOff }],
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
};
