import { watchOutside } from '../outside/watchOutside.ts';
import { callInWindow } from '../practiceControl.ts';
import { expect, test } from './shell.ts';

test('menu, tray, notifications and refusals follow the chosen language', async ({ start }) => {
  const { app, page } = await start();
  const outside = await watchOutside(app);
  const menu = (): Promise<string[]> =>
    app.evaluate(({ Menu }) => (Menu.getApplicationMenu()?.items ?? []).map(({ label }) => label));
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  expect(await menu()).toContain('&File');

  // The settings make this call, too.
  await callInWindow(page, 'app.settings', { language: 'de' });
  await expect.poll(menu).toEqual(expect.arrayContaining(['&Datei', '&Bearbeiten', '&Ansicht', '&Hilfe']));
  await expect.poll(async () => (await outside.now()).menu).toContain('Nichts in Arbeit');
  expect((await outside.now()).toolTip).toBe('Listing Companion. Nichts wartet auf Sie');
  await expect(page.getByRole('link', { name: 'Einstellungen' })).toBeVisible();

  // An error from the core contains the key of its translated text.
  const refused = await callInWindow(page, 'items.undo');
  expect(refused).toMatchObject({ problem: { code: 'NOTHING_TO_UNDO', says: { key: 'problems.NOTHING_TO_UNDO' } } });

  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect
    .poll(async () => (await outside.now()).notifications.map(({ title }) => title))
    .toContain('Listing Companion läuft weiter');
});
