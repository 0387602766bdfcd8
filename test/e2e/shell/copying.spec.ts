import { expect, test } from './shell.ts';

test('a Copy button writes to the clipboard, and the page can do nothing else with it', async ({ start }) => {
  const { page } = await start();
  await page.getByRole('button', { name: 'Try it with practice data' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await page.getByRole('link', { name: 'Assistants' }).click();
  await page.getByRole('button', { name: /^Copy/ }).first().click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const read = await page.evaluate(() =>
    navigator.clipboard.readText().then(
      () => 'read',
      (error: unknown) => (error instanceof Error ? error.name : 'failed'),
    ),
  );
  expect(read).toBe('NotAllowedError');
});
