import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const getPrompt = (page: Page) => page.getByRole('dialog');
const readLastInput = (page: Page, name: string) =>
  page.evaluate((wanted) => window.fake.asked.findLast((one) => one.name === wanted)?.input, name);
const listInputs = (page: Page, name: string) =>
  page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);

test('an assistant’s batch names the assistant, not the person, as its asker', async ({ open }) => {
  const page = await open('', { batches: ['assistant'] });
  await expect(page.getByRole('dialog', { name: 'Publish 11 of 12' })).toBeVisible();
  await expect(getPrompt(page)).toContainText('Garage helper asks');
  await expect(getPrompt(page)).toContainText('A name it gave itself');
  await expect(getPrompt(page)).not.toContainText('You asked');
  await expect(getPrompt(page).getByRole('blockquote')).toContainText('These are the ones from the red box');
  await expect(getPrompt(page).getByRole('button', { name: 'Not now' })).toBeFocused();
});

test('the rows of a batch are grouped by action, each group with its consequences', async ({ open }) => {
  const page = await open('', { batches: ['mixed'] });
  await expect(page.getByRole('dialog', { name: 'Publish 4, change 1, end 2, delete 1' })).toBeVisible();
  const ends = getPrompt(page).getByRole('region', { name: 'End 2 listings' });
  await expect(ends).toContainText('They come off the marketplace at once.');
  await expect(ends).toContainText('This cannot be undone.');
  await expect(ends.getByRole('listitem')).toHaveCount(2);
  await expect(getPrompt(page).getByRole('region', { name: 'Change 1 listing' })).toContainText('US$34.99 → US$31.49');
});

test('the approve button names the actions and the total fees', async ({ open }) => {
  const page = await open('', { batches: ['mixed'] });
  const yes = getPrompt(page).getByRole('button', { name: /^Publish|^End|^Delete|^Change|^Nothing/ });
  const tick = (name: string) => getPrompt(page).getByRole('checkbox', { name });
  await expect(yes).toHaveText('Publish 4 for US$0.35 + €0.35, 1 free, fee unknown for 1; change 1; end 2; delete 1');
  const total = getPrompt(page).getByRole('table', { name: 'Marketplace fees' });
  await expect(total.getByRole('row')).toHaveText([
    'Total fees of 1 listingUS$0.35',
    'Total fees of 1 listing€0.35',
    '5 listingsFree',
    '1 listingFee could not be checked',
  ]);
  await expect(getPrompt(page)).toContainText('Cannot be undone');
  await tick('End Film camera no. 6').uncheck();
  await tick('End Paperback novel no. 7').uncheck();
  await tick('Delete Running shoes no. 8').uncheck();
  await expect(yes).toHaveText('Publish 4 for US$0.35 + €0.35, 1 free, fee unknown for 1; change 1');
  await expect(getPrompt(page).getByText('Cannot be undone', { exact: true })).toHaveCount(0);
  await getPrompt(page)
    .getByRole('checkbox', { name: /ticked$/ })
    .check();
  await getPrompt(page)
    .getByRole('checkbox', { name: /ticked$/ })
    .uncheck();
  await tick('Delete Running shoes no. 8').check();
  await expect(yes).toHaveText('Delete 1');
  await expect(total.getByRole('row')).toHaveText(['1 listingFree']);
});

test('a row whose action failed says why and can be ticked again', async ({ open }) => {
  const page = await open('', { batches: ['mixed'] });
  const line = getPrompt(page).getByRole('listitem').filter({ hasText: 'Film camera no. 6' });
  const why = 'The service is not reachable right now.';
  await expect(line).toBeVisible();
  await expect(getPrompt(page)).not.toContainText(why);
  await page.evaluate((sentence) => {
    const problem = { code: 'SERVICE_UNREACHABLE', sentence };
    window.fake.batches = window.fake.batches.map((batch) => ({
      ...batch,
      rows: batch.rows.map((row) => (row.title.includes('no. 6') ? { ...row, problem } : row)),
    }));
    window.fake.changed('approvals');
  }, why);
  await expect(line).toContainText(why);
  await expect(getPrompt(page).getByText(why)).toHaveCount(1);
  const tick = line.getByRole('checkbox');
  await expect(tick).toBeEnabled();
  await tick.uncheck();
  await tick.check();
  await expect(getPrompt(page).getByRole('button', { name: /^Publish 4/ })).toContainText('end 2');
});

test('ends and deletes in a batch share one undo window', async ({ open }) => {
  const page = await open('', { batches: ['mixed'] });
  await page.evaluate(() => (window.fake.holdMs = 60_000));
  await getPrompt(page)
    .getByRole('button', { name: /^Publish 4/ })
    .click();
  await expect(getPrompt(page)).toContainText(/Publish 4, change 1, end 2, delete 1 in \d+ s/);
  await expect(getPrompt(page).getByRole('button', { name: 'Take it back' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(getPrompt(page)).toBeHidden();
  await page.getByRole('button', { name: 'Take it back' }).click();
  expect(await readLastInput(page, 'batch.takeBack')).toEqual({ batchId: 'bat_m1' });
  await expect(page.getByText('8 taken back.')).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(getPrompt(page).getByText('Taken back, nothing was sent')).toHaveCount(8);
});

test('each row of a finished batch shows its result', async ({ open }) => {
  const page = await open('', { batches: ['mixed'] });
  await page.evaluate(() => (window.fake.beatMs = 5));
  await getPrompt(page)
    .getByRole('button', { name: /^Publish 4/ })
    .click();
  await expect(getPrompt(page).getByText('4 are live, 1 changed, 2 ended, 1 deleted')).toBeVisible();
  await expect(
    getPrompt(page).getByRole('region', { name: 'End 2 listings' }).getByRole('listitem').first(),
  ).toContainText('Ended');
});

test('Escape leaves an assistant’s batch pending', async ({ open }) => {
  const page = await open('#/approvals', { batches: ['assistant', 'assistantEnds'] });
  await expect(page.getByRole('link', { name: 'Approvals, 2 waiting' })).toBeAttached();
  await expect(getPrompt(page)).toContainText('1 more is waiting after this one');
  await page.keyboard.press('Escape');
  await expect(getPrompt(page)).toBeHidden();
  expect(await listInputs(page, 'batch.close')).toEqual([]);
  await expect(page.getByRole('region', { name: 'Waiting for you' }).getByRole('listitem')).toHaveCount(2);
  await page.getByRole('region', { name: 'Waiting for you' }).getByRole('button').last().click();
  await expect(page.getByRole('dialog', { name: 'End 3 listings' })).toBeVisible();
});

test('a new batch does not replace an open batch', async ({ open }) => {
  const page = await open('', { batches: ['assistantEnds'] });
  await expect(page.getByRole('dialog', { name: 'End 3 listings' })).toBeVisible();
  await page.evaluate(() => {
    const [first] = window.fake.batches;
    if (first)
      window.fake.batches = [
        first,
        { ...first, batchId: 'bat_late', askedAt: Date.now() + 1, rows: first.rows.slice(0, 2) },
      ];
    window.fake.changed('approvals');
  });
  await expect(getPrompt(page)).toContainText('1 more is waiting after this one');
  await expect(page.getByRole('dialog', { name: 'End 3 listings' })).toBeVisible();
  await page.evaluate(() => (window.fake.beatMs = 5));
  await getPrompt(page)
    .getByRole('button', { name: /^End 3/ })
    .click();
  await getPrompt(page).getByRole('button', { name: 'Next (1 left)' }).click();
  await expect(page.getByRole('dialog', { name: 'End 2 listings' })).toBeVisible();
});

test('“I did not ask for this” is sent as the reason for every row', async ({ open }) => {
  const page = await open('', { batches: ['assistantEnds'] });
  await getPrompt(page).getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('menuitem', { name: /I did not ask for this/ }).click();
  await expect(getPrompt(page)).toBeHidden();
  const declined = await listInputs(page, 'approvals.decline');
  expect(declined).toHaveLength(3);
  expect(declined[0]).toMatchObject({ why: 'not_asked_for' });
  expect(await readLastInput(page, 'batch.close')).toMatchObject({ batchId: 'bat_a2' });
});

test('a link to a batch opens the batch', async ({ open }) => {
  const page = await open('#/approvals?batch=bat_a2', { batches: ['assistant', 'assistantEnds'] });
  await expect(page.getByRole('dialog', { name: 'End 3 listings' })).toBeVisible();
  await expect(page).toHaveURL(/#\/approvals$/);
});

test('a batch is one line in the history and expands into its listings', async ({ open }) => {
  const page = await open('#/approvals', { batches: ['assistantEnds'], history: false });
  await expect(getPrompt(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    window.fake.record = window.fake.batches.flatMap(({ batchId, rows }) =>
      rows.flatMap(({ approval, title }, at) =>
        approval === null
          ? []
          : {
              ...{ seq: 90 - at, at: Date.now(), kind: 'approval.asked', facts: { approvalId: approval.approvalId } },
              ...{ day: '2026-03-09', act: approval.prompt.act, title, photoUrl: null, batchId },
              approval: { ...approval, money: approval.prompt.money },
            },
      ),
    );
    window.fake.changed('approvals');
  });
  const lines = page.getByRole('group', { name: 'Rows of the history' }).locator('> ol > li');
  await expect(lines).toHaveCount(1);
  await expect(lines.getByRole('button')).toHaveText(/^Waiting for you · .*End 3 · Garage helper · /);
  await lines.getByRole('button').click();
  const listings = lines.getByRole('list', { name: '3 listings' }).locator('> li');
  await expect(listings).toHaveCount(3);
  await expect(listings.first()).toContainText('Waiting for you');
  await listings.first().getByRole('button').click();
  await expect(listings.first().getByRole('button', { name: 'Open the question' })).toBeVisible();
});

test('a batch renders in browsers without Map.groupBy', async ({ open }) => {
  const page = await open('', { batches: ['mixed'] });
  await page.addInitScript(() => {
    Reflect.deleteProperty(Map, 'groupBy');
    Reflect.deleteProperty(Object, 'groupBy');
  });
  await page.reload();
  await expect(page.getByRole('dialog', { name: 'Publish 4, change 1, end 2, delete 1' })).toBeVisible();
  await expect(getPrompt(page)).toContainText('They come off the marketplace at once.');
});

test('an approval without a listing shows an icon instead of a photo', async ({ open }) => {
  const page = await open('#/approvals', { waiting: ['extras', 'publish'] });
  const rows = page.getByRole('region', { name: 'Waiting for you' }).getByRole('listitem');
  await getPrompt(page).getByRole('button', { name: 'Not now' }).click();
  const extras = rows.filter({ hasText: 'Set aside 3 extra listings' });
  await expect(extras.locator('svg')).toBeVisible();
  const places = await rows.evaluateAll((all) =>
    all.map((row) => {
      const photo = row.querySelector('button > :first-child');
      return photo && [photo.tagName, getComputedStyle(photo).backgroundColor];
    }),
  );
  expect(places).toContainEqual(['SPAN', 'rgba(0, 0, 0, 0)']);
});

test('an open batch closes with a message when its assistant withdraws it', async ({ open }) => {
  const page = await open('', { batches: ['assistant'] });
  await expect(getPrompt(page)).toContainText('Garage helper asks');
  await page.evaluate(() => {
    window.fake.batches = window.fake.batches.map((batch) => ({
      ...batch,
      state: 'over',
      rows: batch.rows.flatMap((row) =>
        row.approval === null ? [] : { ...row, approval: { ...row.approval, state: 'withdrawn' } },
      ),
    }));
    window.fake.changed('approvals');
  });
  await expect(getPrompt(page)).toHaveCount(0);
  await expect(page.getByText('The question from Garage helper no longer stands, and nothing was sent.')).toBeVisible();
});

test('the banner and the list say that the assistant chose its own name', async ({ open }) => {
  const page = await open('', { batches: ['assistant'] });
  await getPrompt(page).getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Garage helper' })).toContainText('A name it gave itself');
  await page.getByRole('link', { name: /^Approvals/ }).click();
  const waiting = page.getByRole('region', { name: 'Waiting for you' });
  await expect(waiting.getByRole('listitem')).toContainText('A name it gave itself');
});
