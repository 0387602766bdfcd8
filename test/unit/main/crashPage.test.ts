import { expect, test } from 'vitest';
import { createHostTranslator } from '../../../src/host/hostTranslator.ts';
import { createReloadLimiter } from '../../../src/main/window/createPage.ts';
import { isCrashPageAddress, createCrashPageAddress, renderCrashPage } from '../../../src/main/window/crashPage.ts';
import { languages } from '../../../src/i18n/languages.ts';
import { createTestClock } from '../../helpers/testClock.ts';

const english = createHostTranslator([]);
const formOf = (html: string): string => /<form [^]*<\/form>/.exec(html)?.[0] ?? '';
const renderFormFor = (at: string): string =>
  formOf(renderCrashPage(`app://companion/stopped?${new URLSearchParams({ at }).toString()}`, 'n', english));

test('a crashed page is reloaded at most three times per minute', () => {
  const clock = createTestClock(0);
  const mayReload = createReloadLimiter(clock.now);
  const tried = [0, 10_000, 10_000, 10_000].map((ms) => {
    clock.advance(ms);
    return mayReload();
  });
  expect(tried).toEqual([true, true, true, false]);
  clock.advance(30_000);
  expect(mayReload()).toBe(true);
  expect(mayReload()).toBe(false);
});

test('the crash page links to the previous page of the window', () => {
  const address = createCrashPageAddress('app://companion/index.html?approval=ap_1#/approvals');
  expect(isCrashPageAddress(address)).toBe(true);
  const form = formOf(renderCrashPage(address, 'n', english));
  expect(form).toContain('action="/index.html#/approvals"');
  expect(form).toContain('<input type="hidden" name="approval" value="ap_1">');
  expect(form).toContain('<button autofocus>Try again</button>');
  expect(renderFormFor('#/settings')).toContain('action="/index.html#/settings"');
  expect(formOf(renderCrashPage(createCrashPageAddress(''), 'n', english))).toContain('action="/index.html"');
});

test.each(['https://example.com/', '//example.com/#/settings', '/other.html', 'javascript:alert(1)', '"><script>'])(
  'the crash page never links to a foreign address: %s',
  (at) => {
    const form = renderFormFor(at);
    expect(/action="([^"#]*)/.exec(form)?.[1]).toBe('/index.html');
    expect(form).not.toContain('<script');
  },
);

test('the crash page escapes its parameters', () => {
  const form = renderFormFor('?a"b=<i>&#"><script>');
  expect(form).toContain('name="a&quot;b" value="&lt;i&gt;"');
  expect(form).not.toContain('<script');
});

test.each(Object.keys(languages))('the crash page is available in %s in light and dark mode', async (language) => {
  const translator = createHostTranslator([]);
  await translator.setLanguage(language);
  const html = renderCrashPage(createCrashPageAddress(''), 'n', translator);
  expect(html).toContain(`<html lang="${language}">`);
  expect(html).toContain(`<h1>${translator.format('shell.windowStopped')}</h1>`);
  expect(html.includes('This window keeps failing')).toBe(language === 'en');
  expect(html).toContain('prefers-color-scheme: dark');
});
