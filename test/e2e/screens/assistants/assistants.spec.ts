import type { Page } from 'playwright/test';
import { findCutOptions } from '../accessibility/findCutOptions.ts';
import { expect, test } from '../page.ts';

const readLastChange = (page: Page): Promise<unknown> =>
  page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'assistants.change').at(-1)?.input);

test('an edit of an assistant’s rights sends only the changed right', async ({ open }) => {
  const page = await open('#/assistants', {});
  const row = page.getByRole('listitem').filter({ hasText: 'Garage helper' }).first();
  await expect(row).toContainText('May also ask for your yes · works only with its own listings · 2 folders');
  await row.getByRole('button', { name: 'Change limits' }).press('Enter');
  await row.getByLabel('It may').selectOption('read');
  await row.getByLabel('Publishes per day').press('Enter');
  await expect(row).toContainText('May only read');
  expect(await readLastChange(page)).toEqual({ assistantId: 'ast_1', scope: 'read' });
});

test('a folder is added by its full path, and a partial path is refused', async ({ open }) => {
  const page = await open('#/assistants', {});
  const row = page.getByRole('listitem').filter({ hasText: 'Weekend bot' }).first();
  await row.getByRole('button', { name: 'Change limits' }).click();
  await expect(row).toContainText('None, so it cannot use photos on this computer.');
  const field = row.getByLabel('Add a folder');
  await field.fill('photos/attic');
  await field.press('Enter');
  await expect(row).toContainText('Enter the full path');
  await field.fill('/home/robin/attic');
  await field.press('Enter');
  await expect(field).toHaveValue('');
  await expect(row.getByRole('button', { name: 'Remove /home/robin/attic' })).toBeVisible();
  expect(await readLastChange(page)).toEqual({ assistantId: 'ast_2', folders: ['/home/robin/attic'] });
  await row.getByRole('button', { name: 'Remove /home/robin/attic' }).click();
  await expect(row).toContainText('None, so it cannot use photos on this computer.');
});

test('the activity list shows new calls at once and can be filtered by assistant', async ({ open }) => {
  const page = await open('#/assistants', {});
  const rows = page.getByRole('list', { name: 'Newest first' }).getByRole('listitem');
  await expect(rows).toHaveCount(12);
  await expect(rows.nth(2)).toContainText('Asked you');
  await expect(rows.nth(2)).toContainText('Change a live listing: Price, Quantity');
  await expect(rows.nth(2)).toContainText('Wool sweater with a fox');
  await expect(rows.nth(3)).toContainText('Refused');
  await page.evaluate(() => {
    const [first] = window.fake.activity;
    if (first)
      window.fake.activity = [
        { ...first, at: Date.now(), what: { key: 'activity.categories' } },
        ...window.fake.activity,
      ];
    window.fake.changed('assistants');
  });
  await expect(rows.first()).toContainText('Look up a category');
  await page.getByLabel('Assistant', { exact: true }).selectOption('Weekend bot');
  await expect(rows).toHaveCount(10);
  for (const row of await rows.all()) await expect(row).toContainText('Weekend bot');
});

test('each supported client has its own connection text', async ({ open }) => {
  const page = await open('#/assistants', {});
  const connect = page.getByRole('region', { name: 'How an assistant connects' });
  const names = [
    'Claude Code',
    'Claude Desktop',
    'Codex CLI',
    'Gemini CLI',
    'Cursor',
    'VS Code',
    'Windsurf',
    'Goose',
    'plain curl',
  ];
  await expect(connect.getByLabel('Your assistant').getByRole('option')).toHaveText(names);
  const identities = new Set<string>();
  for (const name of names) {
    await connect.getByLabel('Your assistant').selectOption(name);
    const text = connect.getByLabel(`Text for ${name}`, { exact: true });
    if (name !== 'plain curl') await expect(text.first()).toContainText('listing-companion');
    if (name !== 'plain curl') {
      const [identity = ''] = /lci_[\w-]{32}/.exec((await text.first().textContent()) ?? '') ?? [];
      expect(identity).not.toBe('');
      identities.add(identity);
    }
    if (name === 'Claude Desktop') continue;
    if (name !== 'plain curl') await connect.getByText('By address', { exact: true }).click();
    await expect(text.first()).toContainText(/127\.0\.0\.1:47800\/(mcp|companion)/);
    if (name !== 'plain curl') await connect.getByText('By command', { exact: true }).click();
  }
  // Every client has a different identity.
  expect(identities.size).toBe(names.length - 1);
});

test('the person opens a page suggested by an assistant with one click', async ({ open }) => {
  const page = await open('', { offers: true });
  const line = page.getByRole('status').filter({ hasText: 'Garage helper' });
  await expect(line).toContainText('The page is at market.example.');
  await line.getByRole('button', { name: 'Open the page' }).click();
  await expect(line).toHaveCount(0);
  const opened = await page.evaluate(() => window.fake.asked.find(({ name }) => name === 'offers.open')?.input);
  expect(opened).toEqual({ offerId: 'off_1' });
});

test('without assistants the screen explains how to connect an assistant', async ({ open }) => {
  const page = await open('#/assistants', { noAssistants: true });
  await expect(page.getByRole('heading', { name: 'No assistant yet' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'How an assistant connects' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Activity' })).toHaveCount(0);
});

test('after a restore each assistant stays suspended until the person confirms its rights', async ({ open }) => {
  const page = await open('#/assistants', { restored: true });
  const row = page.getByRole('listitem').filter({ hasText: 'Garage helper' }).first();
  await expect(row).toContainText('Paused because a copy was restored');
  await expect(row).toContainText('May also ask for your yes · works only with its own listings · 2 folders');
  await expect(row.getByRole('list', { name: 'Folders' }).getByRole('listitem')).toHaveText([
    '/home/robin/photos/garage sale',
    '/media/card/DCIM',
  ]);
  await expect(row).toContainText('Another assistant has a similar name: Garage heIper');
  await row.getByRole('button', { name: 'Let it continue' }).click();
  await expect(row.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(row).not.toContainText('Paused because');
  expect(await readLastChange(page)).toEqual({ assistantId: 'ast_1', paused: false });
});

test('in a narrow window the request column is at least as wide as the result column', async ({ open }) => {
  const page = await open('#/assistants', { language: 'de' }, { width: 480 });
  const row = page.getByRole('listitem').filter({ hasText: 'Von diesem Computer beantwortet' }).first();
  const widths = await row.evaluate((li) => [...li.children].map((part) => part.getBoundingClientRect().width));
  expect(widths[0]).toBeGreaterThanOrEqual(widths[1] ?? Infinity);
  await page.getByRole('button', { name: 'Grenzen ändern' }).first().click();
  expect(await findCutOptions(page)).toEqual([]);
});
