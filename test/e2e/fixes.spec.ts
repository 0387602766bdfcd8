import { join } from 'node:path';
import { drawTextlessItem } from './drawItem.ts';
import { artefacts, expect, test, type Host } from './host.ts';
import { controlPractice, answerAfterGeneration } from './practiceControl.ts';

const refuseOnce = ({ page }: Host, code: string): Promise<void> =>
  controlPractice(page, '/faults', {
    ...{ method: 'POST', path: '/market/publish/{listingId}', times: 1, status: 400 },
    ...{ code, error: 'The postage needs a weight.' },
  });

test('a refused publish asks for the missing data and succeeds after a new approval', async ({ host }, info) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await answerAfterGeneration(page);
  const folder = info.outputPath('Canon EOS 250D camera');
  await drawTextlessItem(folder);
  await host.dropFolder(folder);
  await page.getByRole('listitem', { name: /Ready to review/i }).click({ timeout: 90_000 });
  await refuseOnce(host, 'MISSING_PACKAGE_WEIGHT');
  await page.getByRole('button', { name: 'Publish…' }).click();
  const prompt = page.getByRole('dialog');
  await prompt.getByRole('button', { name: /^Publish for/ }).click();
  const fix = prompt.getByRole('region', { name: 'What can be done' });
  await expect(fix).toContainText('Shipping is priced by weight');
  await expect(prompt).toContainText('The postage needs a weight.');
  await page.screenshot({ path: join(artefacts, `${info.project.name}-fix.png`) });
  await fix.getByLabel('Packed weight').fill('850 g');
  await fix.getByRole('button', { name: 'Save the weight' }).click();
  await fix.getByRole('button', { name: /^Publish again/ }).click();
  await prompt.getByRole('button', { name: /^Publish for/ }).click({ timeout: 20_000 });
  await expect(prompt.getByRole('link', { name: 'Open listing' })).toBeVisible({ timeout: 20_000 });
});
