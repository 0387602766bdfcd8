import { expect, test } from './shell.ts';

test('the page and Electron’s native theme follow the chosen light or dark theme', async ({ start }) => {
  const { app, page } = await start();
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  const source = (): Promise<string> => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource);
  expect(await source()).toBe('system');
  const set = (theme: string): Promise<unknown> =>
    page.evaluate((wanted) => {
      const { companion } = window as unknown as { companion: { call: (name: string, input: unknown) => unknown } };
      return companion.call('app.settings', { theme: wanted });
    }, theme);
  const scheme = (): Promise<string | null> =>
    page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
  for (const theme of ['dark', 'light']) {
    await set(theme);
    await expect.poll(source).toBe(theme);
    await expect.poll(scheme).toBe(theme);
  }
});

test('reduced motion removes animations, and buttons have a border in high contrast', async ({ start }) => {
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' });
  const button = page.getByRole('button', { name: 'Try it with practice data' });
  await expect(button).toBeVisible();
  const seen = await button.evaluate((element) => {
    const style = getComputedStyle(element);
    const longest = Math.max(
      ...[...document.querySelectorAll('*')].flatMap((one) =>
        `${getComputedStyle(one).transitionDuration},${getComputedStyle(one).animationDuration}`
          .split(',')
          .map((text) => parseFloat(text) * (text.trim().endsWith('ms') ? 1 : 1_000)),
      ),
    );
    return { longest, hasBorder: parseFloat(style.borderTopWidth) > 0 || style.outlineStyle !== 'none' };
  });
  expect(seen.longest).toBeLessThanOrEqual(10);
  expect(seen.hasBorder).toBe(true);
});
