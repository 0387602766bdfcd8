import { expect, test } from 'vitest';
import { prefetchState, prefetchStateScript } from '../../../src/host/prefetchState.ts';
import { renderPageHtml, removeFramePreloads } from '../../../src/host/rendererPage.ts';
import type { PrefetchedState, CompanionWindow } from '../../../src/ipc/calls.ts';

const html = [
  '<head><script type="module" src="./start.js"></script>',
  '<link rel="modulepreload" crossorigin href="./runtime.js">',
  '<link rel="modulepreload" crossorigin data-app-frame href="./home.js">',
  '<link rel="stylesheet" crossorigin data-app-frame href="./home.css"></head>',
].join('\n');

test('a page without the app frame keeps all scripts of the first run', () => {
  const page = removeFramePreloads(html);
  expect(page).toContain('./start.js');
  expect(page).toContain('./runtime.js');
  expect(page).not.toContain('./home');
});

test('every script and link of a page carries its nonce, and the host’s script comes first', () => {
  const page = renderPageHtml(html, 'abc', prefetchStateScript);
  expect(page.match(/<(script|link rel="(modulepreload|stylesheet)") nonce="abc"/g)).toHaveLength(5);
  expect(page.indexOf('app.state')).toBeLessThan(page.indexOf('./start.js'));
});

const windowThat = (call: CompanionWindow['call']) => {
  const listeners = new Set<(topic: string) => void>();
  const companion: CompanionWindow = {
    host: 'electron',
    base: '',
    call,
    onChanged: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return { companion, listeners };
};

test('a page requests the state once in advance and records later changes until it is stopped', async () => {
  const names: string[] = [];
  const { companion, listeners } = windowThat((name) => {
    // A change between the question and its answer may be missing in the answer.
    names.push(`${name}, ${listeners.size} listening`);
    return Promise.resolve({ ok: true, value: 'the state' });
  });
  const page: { companion: CompanionWindow; companionAsked?: PrefetchedState } = { companion };
  prefetchState(page);
  expect(names).toEqual(['app.state, 1 listening']);
  expect(await page.companionAsked?.state).toEqual({ ok: true, value: 'the state' });
  for (const listener of listeners) listener('items');
  expect([...(page.companionAsked?.changed ?? [])]).toEqual(['items']);
  page.companionAsked?.stop();
  expect(listeners.size).toBe(0);
});

test('a page without a companion requests nothing', () => {
  const page: Parameters<typeof prefetchState>[0] = {};
  prefetchState(page);
  expect(page.companionAsked).toBeUndefined();
});
