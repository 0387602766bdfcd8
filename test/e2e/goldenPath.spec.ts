import { drawItem } from './drawItem.ts';
import { expect, test } from './host.ts';

test('a folder of photos becomes a live listing after one approval', async ({ host, keep }, info) => {
  const { page } = host;
  await keep('1-first-run');
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await keep('2-no-items');

  const folder = info.outputPath('Canon EOS 250D camera');
  await drawItem(folder, ['Canon', 'EOS 250D']);
  await host.dropFolder(folder);
  const item = page.getByRole('listitem', { name: /review/i });
  await expect(item).toBeVisible({ timeout: 60_000 });
  await keep('3-to-review');

  await item.click();
  await expect(page.getByLabel('Title')).toHaveValue(/^Canon EOS 250D/);
  for (const field of ['Price', 'Condition', 'Quantity']) await expect(page.getByLabel(field).first()).toBeVisible();
  await keep('4-review');

  await page.getByRole('button', { name: 'Publish…' }).click();
  const prompt = page.getByRole('dialog', { name: /^Publish/ });
  await expect(prompt.getByRole('button', { name: 'Not now' })).toBeFocused();
  await keep('5-prompt');
  await prompt.getByRole('button', { name: /^Publish (for|free)|^Publish, fee unknown/ }).click();
  await expect(page.getByRole('link', { name: 'Open listing' }).first()).toBeVisible({ timeout: 60_000 });
  await keep('6-live');
});
