import { join } from 'node:path';
import { drawTextlessItem } from './drawItem.ts';
import { artefacts, expect, test } from './host.ts';
import { answerAfterGeneration } from './practiceControl.ts';

test('three reviewed items are published with three clicks', async ({ host }, info) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await answerAfterGeneration(page);
  for (const [at, name] of [
    'Canon EOS 250D camera with lens',
    'Olympus XA2 camera with flash',
    'Nikon FM2 camera with leather bag',
  ].entries()) {
    const folder = info.outputPath(name);
    await drawTextlessItem(folder);
    await host.dropFolder(folder);
    await expect(page.getByRole('listitem', { name: /Ready to review/ })).toHaveCount(at + 1, { timeout: 60_000 });
  }
  let clicks = 0;
  const click = async (name: RegExp) => {
    clicks += 1;
    await page.getByRole('button', { name }).click();
  };
  await click(/^Select all/);
  await click(/^Publish 3…/);
  const prompt = page.getByRole('dialog', { name: 'Publish 3 listings' });
  await expect(prompt.getByLabel('Fee notice')).toContainText('the US site');
  await page.screenshot({ path: join(artefacts, `${info.project.name}-batch.png`) });
  await click(/^Publish 3 for US\$1\.05$/);
  const result = page.getByRole('dialog', { name: '3 are live' });
  await expect(result.getByRole('link', { name: 'Open listing' })).toHaveCount(3, { timeout: 30_000 });
  expect(clicks).toBe(3);
  await result.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('listitem', { name: /Live/ })).toHaveCount(3);
});
