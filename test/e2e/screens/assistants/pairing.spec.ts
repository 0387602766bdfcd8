import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const listAccepted = (page: Page): Promise<unknown> =>
  page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'assistants.accept').map(({ input }) => input));

const getLines = (page: Page) => page.getByRole('status', { name: 'Access requests' }).getByRole('listitem');

for (const hash of ['', '#/listings', '#/settings'])
  test(`every screen leads to a pairing request with its code: ${hash || 'items'}`, async ({ open }) => {
    const page = await open(hash, { pairings: true });
    const bar = page.getByRole('status').filter({ hasText: 'wants to work with this companion' });
    await bar.getByRole('button', { name: 'Review' }).click();
    const line = getLines(page);
    await expect(line).toHaveCount(1);
    const code = await page.evaluate(() => window.fake.pairings[0]?.code ?? '');
    await expect(line.getByText(code, { exact: true })).toBeVisible();
    await line.getByRole('button', { name: 'Accept' }).click();
    await expect(line).toHaveCount(0);
    // The proposed rights: work on drafts and ask for approvals, but no access to photos.
    expect(await listAccepted(page)).toEqual([
      {
        pairingId: expect.any(String) as unknown,
        access: { scope: 'ask', folders: [], publishesPerDay: null, moneyCentsPerDay: null },
      },
    ]);
  });

test('the Assistants screen shows a pairing request once', async ({ open }) => {
  const page = await open('#/assistants', { pairings: true });
  await expect(getLines(page)).toHaveCount(1);
  await expect(page.getByText('wants to work with this companion')).toHaveCount(1);
});

test('an accepted pairing grants the chosen rights, and an invalid budget amount is refused', async ({ open }) => {
  const page = await open('#/approvals', { pairings: true });
  const line = getLines(page);
  await line.getByLabel('It may').selectOption('draft');
  await line.getByRole('button', { name: 'Folders and limits' }).click();
  await line.getByLabel('Folders', { exact: true }).fill('/home/robin/attic\n\n/home/robin/garage\n');
  await line.getByLabel('Publishes per day').fill('3');
  await line.getByLabel('US$ per day').fill('a lot');
  await line.getByRole('button', { name: 'Accept' }).click();
  await expect(line).toContainText('Enter an amount');
  expect(await listAccepted(page)).toEqual([]);
  await line.getByLabel('US$ per day').fill('12.50');
  await line.getByRole('button', { name: 'Accept' }).click();
  await expect(line).toHaveCount(0);
  expect(await listAccepted(page)).toMatchObject([
    {
      access: {
        ...{ scope: 'draft', folders: ['/home/robin/attic', '/home/robin/garage'] },
        ...{ publishesPerDay: 3, moneyCentsPerDay: 1250 },
      },
    },
  ]);
});

for (const [width, height] of [
  [480, 600],
  [1280, 700],
] as const)
  test(`five pairing requests do not hide the screen: ${width} × ${height}`, async ({ open }) => {
    const page = await open('#/approvals', { pairings: true });
    await page.setViewportSize({ width, height });
    await page.evaluate(() => {
      const [one] = window.fake.pairings;
      if (!one) return;
      const name = 'An assistant with a long name that goes on and on and on and on';
      window.fake.pairings = Array.from({ length: 5 }, (_, index) => ({ ...one, name, pairingId: `p${index}` }));
      window.fake.changed('assistants');
    });
    const lines = getLines(page);
    await expect(lines).toHaveCount(5);
    const screen = await page.getByRole('main').boundingBox();
    expect(screen?.height).toBeGreaterThan(height / 3);
    await lines.last().getByRole('button', { name: 'Refuse' }).click();
    await expect(lines).toHaveCount(4);
  });

test('a double click that accepts a pairing request does not accept the next request', async ({ open }) => {
  const page = await open('#/approvals', { pairings: true });
  await page.evaluate(() => {
    const [one] = window.fake.pairings;
    if (one) window.fake.pairings = ['p1', 'p2'].map((pairingId) => ({ ...one, pairingId }));
    window.fake.changed('assistants');
  });
  const lines = getLines(page);
  const accept = lines.first().getByRole('button', { name: 'Accept' });
  await expect(lines).toHaveCount(2);
  const place = await accept.boundingBox();
  await accept.click();
  await expect(lines).toHaveCount(1);
  // The second request has moved to the position of the first.
  await page.mouse.click((place?.x ?? 0) + 5, (place?.y ?? 0) + 5);
  expect(await listAccepted(page)).toMatchObject([{ pairingId: 'p1' }]);
  await accept.click();
  await expect(lines).toHaveCount(0);
  expect(await listAccepted(page)).toHaveLength(2);
});

test('a pairing request disappears when it expires', async ({ open }) => {
  const page = await open('#/approvals', { pairings: true });
  const lines = getLines(page);
  await expect(lines).toHaveCount(1);
  await page.evaluate(() => {
    window.fake.pairings = window.fake.pairings.map((one) => ({ ...one, expiresAt: Date.now() + 1_500 }));
    window.fake.changed('assistants');
  });
  await expect(lines).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Assistants', exact: true })).toBeVisible();
});
