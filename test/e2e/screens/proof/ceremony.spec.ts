import type { Page } from 'playwright/test';
import * as z from 'zod';
import type { CallAnswer, CallInput } from '../../../../src/ipc/calls.ts';
import { expect, test } from '../page.ts';

const shownRows = z.array(z.object({ approvalId: z.string() }));
const approveBatch = z.object({ rows: shownRows, unticked: shownRows });

const prompt = (page: Page) => page.getByRole('dialog', { name: 'Publish on the US site' });
const ceremony = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });

const endCeremony = (page: Page, state: CallAnswer<'proofs.result'>['state']) =>
  page.evaluate((end) => window.fake.proofs.endCeremony(end), state);

const listCalls = (page: Page, name: string): Promise<number> =>
  page.evaluate((wanted) => window.fake.answered.filter((answered) => answered === wanted).length, name);

const pressYes = async (page: Page): Promise<void> => {
  await prompt(page)
    .getByRole('button', { name: /^Publish/ })
    .click();
  await expect(ceremony(page)).toBeVisible();
};

test('an approval is sent after one confirmation in its own small window', async ({ open }) => {
  const page = await open('', { waiting: ['publish'], proof: 'passkey' });
  const [confirmation] = await Promise.all([page.waitForEvent('popup'), pressYes(page)]);
  await expect(confirmation.getByText('What you confirm')).toBeVisible();
  await expect(ceremony(page)).toContainText(/Nothing is done until you confirm\. \d+ s left/);
  await expect(ceremony(page)).toContainText('You lost your key or PIN? Choose “I lost my key or PIN” in');
  await expect(ceremony(page)).toContainText('Confirm in the window that just opened.');
  await expect(ceremony(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(page.locator('[inert] [role=dialog]').filter({ hasText: 'Publish on the US site' })).toHaveCount(1);
  await endCeremony(page, 'done');
  await expect(ceremony(page)).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: 'Live on the US site' })).toBeVisible();
  await expect(page.getByRole('dialog')).toContainText('Confirmed by fingerprint or key');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeFocused();
});

test('Escape and Cancel end only the confirmation, and the open prompt can be approved again', async ({ open }) => {
  const page = await open('', { waiting: ['publish'], proof: 'passkey' });
  await pressYes(page);
  await ceremony(page).getByRole('button', { name: 'Cancel' }).press('Escape');
  await expect(ceremony(page)).toHaveCount(0);
  await expect(prompt(page)).toContainText('You did not confirm, so nothing was done.');
  await expect(prompt(page).getByRole('button', { name: 'Not now' })).toBeFocused();
  await pressYes(page);
  await ceremony(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(ceremony(page)).toHaveCount(0);
  expect(await page.evaluate(() => window.fake.approvals.map(({ state }) => state))).toEqual(['pending']);
  await pressYes(page);
  await endCeremony(page, 'done');
  await expect(page.getByRole('dialog', { name: 'Live on the US site' })).toBeVisible();
});

const endings = {
  cancelled: 'Cancelled. Nothing was done.',
  expired: 'The time to confirm is over. Nothing was done.',
  refused: 'Your confirmation was not accepted. Nothing was done.',
} as const;
for (const state of ['cancelled', 'expired', 'refused'] as const)
  test(`a confirmation that is ${state} says so, and can be repeated once the prompt is visible again`, async ({
    open,
  }) => {
    const page = await open('', { waiting: ['publish'], proof: 'passkey' });
    await pressYes(page);
    await expect(ceremony(page)).toContainText('Confirm in the window that just opened.');
    await endCeremony(page, state);
    await expect(ceremony(page).getByRole('status')).toHaveText(endings[state]);
    await expect(ceremony(page).getByRole('button', { name: 'Close' })).toBeFocused();
    await ceremony(page).getByRole('button', { name: 'Try again' }).click();
    await expect(ceremony(page)).toContainText('Confirm in the window that just opened.');
    await endCeremony(page, 'done');
    await expect(page.getByRole('dialog', { name: 'Live on the US site' })).toBeVisible();
  });

test('a confirmation that ends during a PIN wait shows the time until the next attempt', async ({ open }) => {
  const page = await open('', { waiting: ['publish'], proof: 'waitingPin' });
  await pressYes(page);
  await expect(ceremony(page)).toContainText('Confirm in the window that just opened.');
  await expect(ceremony(page).getByRole('timer')).toHaveCount(0);
  await endCeremony(page, 'expired');
  await expect(ceremony(page).getByRole('timer')).toContainText('The next one can be entered in 4:');
});

test('a decline needs no confirmation', async ({ open }) => {
  const page = await open('', { waiting: ['publish'], proof: 'passkey' });
  await prompt(page).getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('menuitem', { name: 'No' }).first().click();
  await expect(page.getByRole('dialog', { name: 'You declined' })).toBeVisible();
  expect(await listCalls(page, 'proofs.begin')).toBe(0);
});

test('a whole batch needs one confirmation', async ({ open }) => {
  const page = await open('', { batches: ['assistant'], proof: 'passkey' });
  const batch = page.getByRole('dialog', { name: /^Publish \d+/ });
  await batch.getByRole('button', { name: /^Publish \d/ }).click();
  await expect(ceremony(page)).toContainText('Confirm in the window that just opened.');
  await endCeremony(page, 'done');
  await expect(ceremony(page)).toHaveCount(0);
  await expect(page.getByRole('dialog')).toContainText('9 are live');
  await expect(page.getByRole('dialog')).toContainText('Confirmed by fingerprint or key');
  expect(await listCalls(page, 'proofs.begin')).toBe(1);
});

test('one confirmation binds all ticked rows of a long batch, although the window draws few of them', async ({
  open,
}) => {
  const page = await open('', { batches: ['long'], proof: 'passkey' });
  const batch = page.getByRole('dialog', { name: /^End 1\d\d/ });
  const lines = batch.getByRole('listitem');
  await batch.getByRole('checkbox').nth(2).uncheck();
  await expect(batch.getByRole('button', { name: 'End 119' })).toBeEnabled();
  expect(await lines.count()).toBeLessThan(60);
  await batch.getByRole('button', { name: 'End 119' }).click();
  await expect(ceremony(page)).toContainText('Confirm in the window that just opened.');
  const [begun] = await page.evaluate(() =>
    window.fake.asked.flatMap(({ name, input }) =>
      name === 'proofs.begin' ? [input as CallInput<'proofs.begin'>] : [],
    ),
  );
  const { rows, unticked } = approveBatch.parse(begun?.input);
  expect([begun?.call, new Set(rows.map(({ approvalId }) => approvalId)).size, unticked.length]).toEqual([
    'batch.approve',
    119,
    1,
  ]);
  // The core accepts a yes only for rows that the window has reported.
  const shown = await page.evaluate(() =>
    window.fake.asked.flatMap(({ name, input }) =>
      name === 'approvals.shown' ? [input as CallInput<'approvals.shown'>] : [],
    ),
  );
  expect(shown.map((report) => report.rows.length)).toContain(120);
  await endCeremony(page, 'done');
  await expect(ceremony(page)).toHaveCount(0);
  const states = await page.evaluate(() => window.fake.batches[0]?.rows.map(({ approval }) => approval?.state));
  expect(states?.filter((state) => state !== 'pending')).toHaveLength(119);
  expect(await listCalls(page, 'proofs.begin')).toBe(1);
});

test('if the browser opens no window by itself, the person opens the page with a link', async ({ open }) => {
  const page = await open('', { waiting: ['publish'], proof: 'passkey' });
  await page.evaluate(() => {
    window.open = () => null;
  });
  await pressYes(page);
  const link = ceremony(page).getByRole('link', { name: 'Open the confirmation page' });
  await expect(link).toBeFocused();
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await endCeremony(page, 'done');
  await expect(page.getByRole('dialog', { name: 'Live on the US site' })).toBeVisible();
  expect(await listCalls(page, 'proofs.begin')).toBe(1);
});

test('the desktop app shows the page in a window of its own', async ({ open }) => {
  const shell = { startAtLogin: false, addFromFileManager: false, update: { state: 'none' } } as const;
  const page = await open('', { waiting: ['publish'], proof: 'systemPrompt', shell });
  await pressYes(page);
  await expect(ceremony(page)).toContainText(
    'Confirm where the companion asks you: in a small window, the system’s dialog or your browser.',
  );
  await endCeremony(page, 'done');
  await expect(page.getByRole('dialog', { name: 'Live on the US site' })).toBeVisible();
});

test('if the passkey file is missing, the dialog explains how to recover', async ({ open }) => {
  const page = await open('', { waiting: ['publish'], proof: 'lost' });
  await pressYes(page);
  await expect(ceremony(page).getByRole('status')).toContainText('Say in Settings that you lost your key.');
  await ceremony(page).getByRole('button', { name: 'Close' }).click();
  await expect(prompt(page).getByRole('button', { name: /^Publish/ })).toBeEnabled();
});

test('if the passkey file is missing, the dialog opens the settings and closes', async ({ open }) => {
  const page = await open('', { waiting: ['publish', 'end'], proof: 'lost' });
  await pressYes(page);
  await ceremony(page).getByRole('button', { name: 'Go to Settings' }).press('Enter');
  const section = page.getByRole('region', { name: 'Proof that it is you' });
  await expect(section.getByRole('button', { name: 'I lost my key or PIN' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a protected setting changes only after a confirmation, but other settings change at once', async ({ open }) => {
  const page = await open('#/settings', { proof: 'pin' });
  const approvals = page.getByRole('switch', { name: 'Questions', exact: true });
  await approvals.press('Space');
  await expect(ceremony(page)).toContainText('Confirm in the window that just opened.');
  await expect(approvals).toBeChecked();
  await endCeremony(page, 'done');
  await expect(approvals).not.toBeChecked();
  await page.getByLabel('Theme').selectOption('dark');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(await listCalls(page, 'proofs.begin')).toBe(1);
});
