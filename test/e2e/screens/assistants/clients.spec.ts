import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const getClients = (page: Page) => page.getByRole('region', { name: 'On this computer' });

test('a client is connected only after the person approves the displayed change', async ({ open }) => {
  const page = await open('#/assistants', {});
  const row = getClients(page).getByRole('listitem').filter({ hasText: 'Claude Code' });
  await expect(row).toContainText('Installed, not connected');
  await row.getByRole('button', { name: 'Connect: Claude Code' }).click();
  await expect(row.getByLabel('Change for Claude Code')).toContainText('"listing-companion"');
  await expect(row).toContainText('/home/robin/.claude.json');
  const asked = (): Promise<unknown> =>
    page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'clients.connect').map(({ input }) => input));
  // Neither the display of the change nor Enter approves it.
  await page.keyboard.press('Enter');
  await expect(row.getByRole('button', { name: 'Connect: Claude Code' })).toBeVisible();
  expect(await asked()).toEqual([]);
  await row.getByRole('button', { name: 'Connect: Claude Code' }).click();
  await row.getByRole('button', { name: 'Write it and connect' }).click();
  await expect(row).toContainText('Connected, but not heard from yet');
  expect(await asked()).toEqual([{ clientId: 'claude-code', planId: 'plan_1' }]);
  await row.getByRole('button', { name: 'Disconnect' }).click();
  await row.getByRole('button', { name: 'Disconnect now' }).click();
  await expect(row).toContainText('Installed, not connected');
});

test('the list of clients shows the state and any problem of each client', async ({ open }) => {
  const page = await open('#/assistants', {});
  const row = (name: string) => getClients(page).getByRole('listitem').filter({ hasText: name });
  await expect(row('Codex CLI')).toContainText('Connected, last heard');
  await expect(row('Cursor')).toContainText('It starts another copy of the companion');
  await expect(row('Cursor').getByRole('button', { name: 'Connect again: Cursor' })).toBeVisible();
  await expect(row('Windsurf')).toContainText(
    'There is a mistake in this assistant’s settings, so nothing was written',
  );
  await expect(row('Windsurf').getByRole('button')).toHaveCount(0);
});

test('a client is not connected if its settings have changed since they were displayed', async ({ open }) => {
  const page = await open('#/assistants', {});
  await page.evaluate(() => (window.fake.settingsChanged = true));
  const row = getClients(page).getByRole('listitem').filter({ hasText: 'Claude Code' });
  await row.getByRole('button', { name: 'Connect: Claude Code' }).click();
  await row.getByRole('button', { name: 'Write it and connect' }).click();
  await expect(row).toContainText('was changed since you looked at it');
  await row.getByRole('button', { name: 'Connect: Claude Code' }).click();
  await expect(row.getByLabel('Change for Claude Code')).toBeVisible();
  await expect(row).not.toContainText('was changed since you looked at it');
});

test('the bundle for desktop clients is saved as one file', async ({ open }) => {
  const page = await open('#/assistants', {});
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the bundle' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('listing-companion-0.1.0.mcpb');
  expect(readFileSync(await saved.path(), 'latin1')).toBe('PK bundle');
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [480, 1280])
    test(`axe finds no problem with a displayed client change: ${colorScheme}, ${width}`, async ({ open }) => {
      const page = await open('#/assistants', { pairings: true }, { colorScheme, width });
      await getClients(page).getByRole('button', { name: 'Connect: Claude Code' }).click();
      await expect(page.getByLabel('Change for Claude Code')).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    });
