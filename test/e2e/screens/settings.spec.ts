import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { expect, test } from './page.ts';

const desktop = { startAtLogin: false, addFromFileManager: false, update: { state: 'none' } } as const;

const listInputs = (page: Page, name: string) =>
  page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);

/** Presses a switch by keyboard, which proves more than a click. */
const pressSwitch = async (page: Page, name: string): Promise<void> => {
  const one = page.getByRole('switch', { name, exact: true });
  await one.focus();
  await one.press('Space');
};

test('each kind of notification is switched separately', async ({ open }) => {
  const page = await open('#/settings', {});
  const kinds = { Questions: 'approvals', 'Written listings': 'written', Sales: 'sales', Connection: 'connection' };
  for (const [name, kind] of Object.entries(kinds)) {
    const one = page.getByRole('switch', { name, exact: true });
    await expect(one).toBeChecked();
    await pressSwitch(page, name);
    await expect(one).not.toBeChecked();
    expect((await listInputs(page, 'app.settings')).at(-1)).toEqual({ notify: { [kind]: false } });
    await pressSwitch(page, name);
    await expect(one).toBeChecked();
    expect((await listInputs(page, 'app.settings')).at(-1)).toEqual({ notify: { [kind]: true } });
  }
});

test('the person can turn on start at login and the file manager entry', async ({ open }) => {
  const page = await open('#/settings', { shell: desktop });
  await pressSwitch(page, 'Start at login');
  await expect(page.getByRole('switch', { name: 'Start at login' })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Add from the file manager' })).not.toBeChecked();
  await pressSwitch(page, 'Add from the file manager');
  await expect(page.getByRole('switch', { name: 'Add from the file manager' })).toBeChecked();
  await pressSwitch(page, 'Start at login');
  await expect(page.getByRole('switch', { name: 'Start at login' })).not.toBeChecked();
  expect(await listInputs(page, 'app.changeShell')).toEqual([
    { startAtLogin: true },
    { addFromFileManager: true },
    { startAtLogin: false },
  ]);
});

test('a browser offers no settings that only the desktop app supports', async ({ open }) => {
  const page = await open('#/settings', {});
  await expect(page.getByRole('button', { name: 'Save diagnostics' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'This computer' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Show logs' })).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Updates' })).toHaveCount(0);
});

test('logs can be shown, and diagnostics can be saved as a file', async ({ open }) => {
  const page = await open('#/settings', { shell: desktop });
  await page.getByRole('button', { name: 'Show logs' }).press('Enter');
  await expect.poll(() => listInputs(page, 'app.showLogs')).toHaveLength(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save diagnostics' }).press('Enter'),
  ]);
  expect(download.suggestedFilename()).toBe('diagnostics.txt');
  expect(readFileSync(await download.path(), 'utf8')).toContain('version 0.1.0');
});

test('an update is checked, downloaded and installed only on separate clicks', async ({ open }) => {
  const page = await open('#/settings', { shell: desktop });
  const updates = page.getByRole('group', { name: 'Updates' });
  await updates.getByRole('button', { name: 'Check for updates' }).press('Enter');
  await expect(updates).toContainText('Version 0.2.0 is available.');
  expect(await listInputs(page, 'app.update')).toEqual([{ act: 'check' }]);
  await updates.getByRole('button', { name: 'Download version 0.2.0' }).press('Enter');
  await expect(updates).toContainText('It is installed when nothing is running and no question is waiting');
  expect(await listInputs(page, 'app.update')).toEqual([{ act: 'check' }, { act: 'load' }]);
  await updates.getByRole('button', { name: 'Install version 0.2.0' }).press('Enter');
  await expect(updates).toContainText('Version 0.2.0 is installed as soon as nothing is running');
  await expect(updates.getByRole('button')).toHaveCount(0);
});

test('all work can be paused and resumed', async ({ open }) => {
  const page = await open('#/settings', {});
  const line = page.getByText('Everything is paused. Nothing new is started.');
  const one = page.getByRole('switch', { name: 'Pause everything' });
  await expect(one).not.toBeChecked();
  await expect(line).toHaveCount(0);
  await pressSwitch(page, 'Pause everything');
  await expect(line).toBeVisible();
  await expect(one).toBeChecked();
  await page.getByRole('button', { name: 'Resume' }).press('Enter');
  await expect(line).toHaveCount(0);
  await expect(one).not.toBeChecked();
  await page.getByRole('navigation').getByRole('button', { name: 'Pause everything' }).press('Enter');
  await expect(line).toBeVisible();
  await expect(one).toBeChecked();
  expect(await listInputs(page, 'app.pause')).toEqual([{ paused: true }, { paused: false }, { paused: true }]);
});

test('all data is erased only after a confirmation', async ({ open }) => {
  const page = await open('#/settings', {});
  const section = page.getByRole('region', { name: 'Forget everything' });
  await section.getByRole('button', { name: 'Forget everything, including the key' }).press('Enter');
  expect(await listInputs(page, 'app.forgetEverything')).toEqual([]);
  // The focus is on the button that cancels.
  await page.keyboard.press('Enter');
  expect(await listInputs(page, 'app.forgetEverything')).toEqual([]);
  await section.getByRole('button', { name: 'Forget everything, including the key' }).press('Enter');
  await section.getByRole('button', { name: 'Really forget everything and close' }).press('Enter');
  await expect(section.getByRole('status')).toHaveText('The companion closes now and forgets everything.');
  expect(await listInputs(page, 'app.forgetEverything')).toEqual([{}]);
});

test('Escape cancels the return to a copy, and the focus stays at its button', async ({ open }) => {
  const page = await open('#/settings', {});
  const restore = page.getByRole('button', { name: 'Go back to this copy' });
  for (const cancel of ['Escape', 'Enter'] as const) {
    await restore.press('Enter');
    await expect(page.getByRole('button', { name: 'Keep' })).toBeFocused();
    await page.keyboard.press(cancel);
    await expect(restore).toBeFocused();
  }
  expect(await page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'backups.restore'))).toEqual([]);
});

test('the copies are read again when the companion has made one by itself', async ({ open }) => {
  const page = await open('#/settings', {});
  await expect(page.getByRole('button', { name: 'Make a copy now' })).toBeVisible();
  const countReads = () => page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'backups.list').length);
  const before = await countReads();
  expect(before).toBeGreaterThan(0);
  await page.evaluate(() => window.fake.changed('app'));
  await expect.poll(countReads).toBe(before + 1);
});
