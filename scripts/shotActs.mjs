// Steps before a picture is taken that several rows of the tables share.
export const click =
  (name, role = 'button') =>
  (page) =>
    page.getByRole(role, { name }).first().click();
export const dropping = (page) =>
  page.evaluate(() => {
    const transfer = new window.DataTransfer();
    transfer.items.add(new window.File(['x'], 'a.jpg', { type: 'image/jpeg' }));
    window.dispatchEvent(new window.DragEvent('dragover', { dataTransfer: transfer, cancelable: true }));
  });

export const scrolled = (name) => (page) =>
  page
    .getByRole('region', { name })
    .last()
    .evaluate((region) => region.scrollIntoView());
/** A free plan, so that the window offers an upgrade. */
export const unpaid = {
  plan: { code: 'free', name: 'Free', photosPerListing: 4 },
  upgrade: {
    recommended: true,
    suggestedPlan: 'lite',
    offerTrial: true,
    how: { path: '/billing/external-checkout-token', body: { tier: 'lite', trial: true } },
  },
};

export const batch = async (page) => {
  await click(/Select .*ready to review/)(page);
  await click(/^Publish \d+…/)(page);
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(1_400);
};
export const batchIn = (select, publish) => async (page) => {
  await click(select)(page);
  await click(publish)(page);
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(1_400);
};
export const asked = async (page) => {
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(1_400);
};
export const scrolledIn = (name) => async (page) => {
  await asked(page);
  await page.getByRole('dialog').getByText(name).last().scrollIntoViewIfNeeded();
};
export const leave = async (page) => {
  await asked(page);
  await click('Not now')(page);
};
/** Closes the dialog with the keyboard, because button names depend on the language. */
export const escape = async (page) => {
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};
export const shownFirst = async (page) => {
  await page.evaluate(() => (window.location.hash = `#/approvals?approval=${window.fake.approvals[0].approvalId}`));
  await page.getByRole('dialog').waitFor();
};
export const itemShown = async (page) => {
  await page
    .getByRole('heading', { name: /Red Fox/ })
    .first()
    .waitFor({ timeout: 5_000 });
  await page.waitForTimeout(400);
};
export const strangeHost = async (page) => {
  await shownFirst(page);
  await page.getByRole('button', { name: /^(Open listing|Angebot öffnen)/ }).click();
  await page.getByRole('alert').waitFor();
};
export const heldEnd = async (page) => {
  await asked(page);
  await page.evaluate(() => (window.fake.holdMs = 5_000));
  await click('End for good')(page);
  await page.getByText(/^Ending in/).waitFor();
};
/** Edits the title of the fox while the fox is being published. */
export const locked = async (page) => {
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
export const lockedRow = async (page) => {
  await page.getByRole('table').waitFor();
  await page.evaluate(() => {
    const one = window.fake.publish({ state: 'sending' });
    one.prompt.target.listingId = 'lst_1';
    window.fake.approvals = [one];
    window.fake.changed('approvals');
  });
  await page.getByText('Being published').first().waitFor();
};
export const extrasOff = {
  allowance: {
    remaining: 1,
    creditBalance: 3,
    nextListing: { kind: 'plan' },
    resetsAt: null,
    extras: { available: true, enabled: false, rateCents: 40, approval: null },
  },
};
/** Ends the shown batch. In its third row, the service's answer contradicts the listing. */
export const contradictedRow = async (page) => {
  await asked(page);
  await page.evaluate(() => {
    const contradicted = {
      sentence: 'The service says it is done, but the listing says otherwise.',
      code: 'CONTRADICTED',
      says: { key: 'problems.CONTRADICTED' },
      url: null,
    };
    const live = { sentence: 'It is live.', code: null, url: 'https://market.example/listing/12' };
    const over = (approval, at) =>
      at === 2
        ? { ...approval, state: 'unconfirmed', outcome: contradicted }
        : { ...approval, state: 'done', outcome: live };
    window.fake.batches = window.fake.batches.map((one) => ({
      ...one,
      state: 'over',
      rows: one.rows.map((row, at) => ({ ...row, approval: row.approval && over(row.approval, at) })),
    }));
    window.fake.changed('approvals');
  });
  await page.waitForTimeout(400);
};
export const batchSent = (ms) => async (page) => {
  await batch(page);
  await click(/^Publish \d+ for/)(page);
  await page.waitForTimeout(ms);
};

const selectLive = async (page, count) => {
  await page.getByRole('tab', { name: /^Live/ }).click();
  await page.evaluate(() => (window.fake.beatMs = 20));
  const ticks = page.getByRole('rowgroup').getByRole('row', { name: 'Live' }).getByRole('checkbox');
  for (let at = 0; at < count; at += 1) await ticks.nth(at).check();
};
const answered = async (page, yes) => {
  await asked(page);
  await page.getByRole('dialog').getByRole('button', { name: yes }).last().click();
  await page.waitForTimeout(1_200);
};
export const loweredPrices = (count) => async (page) => {
  await selectLive(page, count);
  await click(/^Change \d+…/)(page);
  await page.getByRole('dialog').getByRole('button', { name: '−10%' }).click();
  await click(/^Change \d+ live/)(page);
  await answered(page, /^Change/);
};
export const ended = (count) => async (page) => {
  await selectLive(page, count);
  await click(/^End \d+ listings…/)(page);
  await answered(page, /^End/);
};
