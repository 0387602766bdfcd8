import { expect, test } from 'vitest';
import { renderPageHtml, removeFramePreloads } from '../../../src/host/rendererPage.ts';

const html = [
  '<head><script type="module" src="./start.js"></script>',
  '<link rel="modulepreload" crossorigin href="./runtime.js">',
  '<link rel="modulepreload" crossorigin data-app-frame href="./home.js">',
  '<link rel="stylesheet" crossorigin data-app-frame href="./home.css"></head>',
].join('\n');

test('a first-run page without the app frame preloads only the scripts it needs', () => {
  const page = removeFramePreloads(html);
  expect(page).toContain('./start.js');
  expect(page).toContain('./runtime.js');
  expect(page).not.toContain('./home');
});

test('every script and link of a page has the nonce', () => {
  const page = renderPageHtml(html, 'abc', 'companion.start()');
  expect(page.match(/<(script|link rel="(modulepreload|stylesheet)") nonce="abc"/g)).toHaveLength(5);
  expect(page.indexOf('companion.start()')).toBeLessThan(page.indexOf('./start.js'));
});
