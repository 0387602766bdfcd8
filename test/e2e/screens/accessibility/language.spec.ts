import { expect, test } from '../page.ts';

test('a new language in the settings applies to every screen at once', async ({ open }) => {
  const page = await open('#/settings', {});
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await expect(page.getByRole('heading', { name: 'Einstellungen', level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByRole('link', { name: 'Konto' }).click();
  await expect(page.getByRole('region', { name: 'Tarif und Extras' })).toContainText('0,40\u00a0US$');
  await page.getByRole('link', { name: 'Assistenten' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Garage helper' }).first()).toContainText(
    'Heute, mit dem, was noch wartet: 3 von 10 Veröffentlichungen',
  );
  await page.getByRole('link', { name: 'Einstellungen' }).click();
  await page.getByLabel('Sprache', { exact: true }).selectOption('en');
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
});

test('a German prompt formats amounts the German way', async ({ open }) => {
  const page = await open('', { waiting: ['publish'], language: 'de' });
  const prompt = page.getByRole('dialog');
  await expect(prompt.getByRole('button', { name: 'Jetzt nicht' })).toBeVisible();
  await expect(prompt.getByRole('button', { name: 'Für 1,55\u00a0US$ veröffentlichen' })).toBeVisible();
  await expect(prompt.getByRole('term').first()).toHaveText('Preis');
  await expect(prompt).toContainText('1,55\u00a0US$');
  await expect(prompt).toContainText('Ändert sich etwas, werden Sie noch einmal gefragt.');
});

test('an error from the core is shown in German', async ({ open }) => {
  const service = { kind: 'remote' as const, url: 'https://service.example' };
  const page = await open('', { state: { connection: 'none', service }, language: 'de' });
  await page.getByRole('button', { name: 'Mein Konto verbinden' }).click();
  await page.getByLabel('E-Mail').fill('robin@example.org');
  await page.getByRole('button', { name: 'Code per E-Mail schicken' }).click();
  await page.getByLabel('6-stelliger Code').fill('999999');
  await page.getByRole('button', { name: 'Verbinden', exact: true }).click();
  await expect(page.getByText('Dieser Code ist falsch, abgelaufen oder wurde schon benutzt.')).toBeVisible();
});
