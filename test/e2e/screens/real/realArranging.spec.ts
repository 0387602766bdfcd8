import { createShotFolder, createShots } from '../../../helpers/photos/createShotFolder.ts';
import { expect, test } from '../../host.ts';
import { answerAfterGeneration } from '../../practiceControl.ts';

test('with a real companion, a mixed folder becomes two items that start on a click', async ({ host, keep }, info) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await answerAfterGeneration(page);
  await host.dropFolder(await createShotFolder(info.outputPath('card'), 'DCIM', createShots([3, 2], 900)));
  await expect(page.getByText(/2 items found/)).toBeVisible({ timeout: 60_000 });

  // One photo becomes its own item, and the change is undone.
  const rows = page.getByRole('listitem').filter({ hasText: 'Ready to check' });
  await expect(rows).toHaveCount(2, { timeout: 60_000 });
  await rows.last().click();
  const tiles = page.getByRole('region', { name: 'Photos to arrange' }).locator('[data-tile]');
  await tiles.first().click();
  await page.getByRole('button', { name: 'New item from these' }).click();
  await expect(page.getByText(/3 items found/)).toBeVisible();
  await keep('split');
  await page.keyboard.press('Control+z');
  await expect(page.getByText(/2 items found/)).toBeVisible();

  await page.getByRole('button', { name: 'Start all 2' }).click();
  await expect(page.getByRole('listitem', { name: /review/i })).toHaveCount(2, { timeout: 90_000 });
});
