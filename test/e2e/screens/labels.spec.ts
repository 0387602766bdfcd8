import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { labelSheets, locateLabel } from '../../../src/contract/labelSheets.ts';
import { readQrCodes, renderPdf } from '../../helpers/renderPdf.ts';
import { expectNoAxeProblem } from './accessibility/axe.ts';
import { readLastInput, selectListings } from './listings/page.ts';
import { expect, test } from './page.ts';

type Targets = { itemIds: string[] } | { listingIds: string[] };

const giveShelfValues = (page: Page, targets: Targets, changes: { sku?: string; place?: string }): Promise<unknown> =>
  page.evaluate(([given, values]) => window.companion?.call('shelf.change', { ...given, changes: values }), [
    targets,
    changes,
  ] as const);

const openSelectedLabels = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Labels…' }).click();
};

const getDialog = (page: Page) => page.getByRole('dialog', { name: 'Labels' });

test('labels of selected listings are saved as a PDF from the chosen place of the sheet', async ({ open }) => {
  const page = await open('#/listings', {});
  await giveShelfValues(page, { listingIds: ['lst_0'] }, { sku: 'A04-1', place: 'Box A04' });
  await giveShelfValues(page, { listingIds: ['lst_1'] }, { sku: 'A04-2' });
  await selectListings(page, 1, 2, 3);
  await openSelectedLabels(page);
  const dialog = getDialog(page);
  await expect(dialog.getByRole('img', { name: /^First label: A04-1, Box A04, Film/ })).toBeVisible();
  await expect(dialog.getByRole('status')).toHaveText('3 labels · 1 page · 1 without SKU has no code');
  await dialog.getByLabel('Sheet or roll').selectOption('Avery L4731: 189 of 25.4 × 10 mm');
  await dialog.getByLabel('First free label').fill('188');
  await expect(dialog.getByRole('status')).toContainText('2 pages');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save as PDF' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('labels.pdf');
  const { count, pages } = await renderPdf(readFileSync(await download.path()), 2);
  expect(count).toBe(2);
  const sheet = labelSheets.L4731;
  const [first, second] = pages;
  if (first === undefined || second === undefined) throw new Error('A page is missing.');
  expect(await readQrCodes(first, { ...locateLabel(sheet, 187), ...sheet.label })).toEqual(['A04-1']);
  expect(await readQrCodes(first, { ...locateLabel(sheet, 188), ...sheet.label })).toEqual(['A04-2']);
  expect(await readQrCodes(second, { ...locateLabel(sheet, 0), ...sheet.label })).toEqual([]);
  expect(second.text).toContain('Running shoes');
  await expect.poll(() => readLastInput(page, 'app.settings')).toMatchObject({ labels: { sheet: 'L4731' } });
});

test('a click in the picture of the sheet chooses the first free label, and a roll has only one', async ({ open }) => {
  const page = await open('#/listings', {});
  await giveShelfValues(page, { listingIds: ['lst_0'] }, { place: 'Shelf 3' });
  await selectListings(page, 1);
  await openSelectedLabels(page);
  const dialog = getDialog(page);
  await dialog.locator('rect').nth(9).click();
  await expect(dialog.getByLabel('First free label')).toHaveValue('10');
  await dialog.getByLabel('Sheet or roll').selectOption('Roll: 62 × 29 mm');
  await expect(dialog.getByLabel('First free label')).toHaveValue('1');
  await expect(dialog.getByLabel('First free label')).toBeDisabled();
  await expect(dialog.getByText('1 without SKU has no code')).toBeVisible();
  await dialog.getByRole('button', { name: 'Print…' }).click();
  expect(await readLastInput(page, 'shelf.printLabels')).toMatchObject({ startAt: 0, choice: { sheet: 'roll62' } });
});

test('a custom label size is checked against the paper size', async ({ open }) => {
  const page = await open('#/listings', {});
  await giveShelfValues(page, { listingIds: ['lst_0'] }, { sku: 'A1' });
  await selectListings(page, 1);
  await openSelectedLabels(page);
  const dialog = getDialog(page);
  await dialog.getByLabel('Sheet or roll').selectOption('Other size');
  await dialog.getByLabel('Columns').fill('4');
  await expect(dialog.getByText('These labels do not fit on the paper.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Print…' })).toBeDisabled();
  await dialog.getByLabel('Width (mm)').fill('52,5');
  await expect(dialog.getByText('These labels do not fit on the paper.')).toBeHidden();
  await dialog.getByRole('button', { name: 'Print…' }).click();
  await expect
    .poll(() => readLastInput(page, 'shelf.printLabels'))
    .toMatchObject({ choice: { sheet: 'custom', custom: { columns: 4, width: 52.5 } } });
});

test('without a SKU or a place the dialog says what to do first', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 3);
  await openSelectedLabels(page);
  await expect(getDialog(page).getByText('Nothing selected has a SKU or a place yet.')).toBeVisible();
  await expect(getDialog(page).getByRole('button', { name: 'Print…' })).toHaveCount(0);
});

test('the menu of an item and of a listing offer its label', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await giveShelfValues(page, { itemIds: ['fox'] }, { sku: 'F-1' });
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Labels…' }).click();
  await expect(getDialog(page).getByRole('img', { name: /^First label: F-1/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(getDialog(page)).toBeHidden();
  const again = await open('#/listings/lst_0', {}, { instead: true });
  await giveShelfValues(again, { listingIds: ['lst_0'] }, { sku: 'L-1' });
  await again.getByRole('button', { name: 'More', exact: true }).click();
  await again.getByRole('menuitem', { name: 'Labels…' }).click();
  await expect(getDialog(again).getByRole('img', { name: /^First label: L-1/ })).toBeVisible();
});

test('the dialog has no accessibility problem in both colours and fits a narrow window', async ({ open }) => {
  const page = await open('#/listings', {}, { width: 480 });
  await giveShelfValues(page, { listingIds: ['lst_0'] }, { sku: 'A04-1', place: 'Box A04' });
  await selectListings(page, 1);
  await openSelectedLabels(page);
  const dialog = getDialog(page);
  await dialog.getByLabel('Sheet or roll').selectOption('Other size');
  await expect(dialog.getByRole('img', { name: /^First label/ })).toBeVisible();
  await expectNoAxeProblem(page, { dark: true });
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
});
