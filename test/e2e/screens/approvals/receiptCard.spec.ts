import type { Page } from 'playwright/test';
import { createCardPage } from '../../../../src/bridge/mcp/resources.ts';
import { englishTexts } from '../../../../src/core/companion/personTexts.ts';
import { expect, test as base } from '../page.ts';

const test = base.extend<{ host: Page }>({
  host: async ({ harness }, use) => {
    const page = await harness.chrome.newPage();
    await use(page);
    await page.close();
  },
});

type Message = { jsonrpc: string; id?: number; method?: string };

/** Shows the card in a sandboxed frame, like an MCP client, and sends it the result of a tool. */
const showCard = async (host: Page, result: object): Promise<Message[]> => {
  await host.setContent('<!doctype html><iframe sandbox="allow-scripts"></iframe>');
  return host.evaluate(
    ([html, answer]) =>
      new Promise<Message[]>((resolve) => {
        const frame = document.querySelector('iframe');
        const heard: Message[] = [];
        const tell = (message: object) => frame?.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*');
        window.addEventListener('message', ({ data }: MessageEvent<Message>) => {
          heard.push(data);
          if (data.method === 'ui/initialize') tell({ id: data.id, result: { protocolVersion: '2026-01-26' } });
          if (data.method === 'ui/notifications/initialized')
            tell({ method: 'ui/notifications/tool-result', params: answer });
          if (data.method === 'ui/notifications/size-changed') resolve(heard);
        });
        if (frame) frame.srcdoc = html;
      }),
    [createCardPage(englishTexts), result] as const,
  );
};

test('a receipt card shows every value as plain text', async ({ host }) => {
  const asked: string[] = [];
  const errors: string[] = [];
  host.on('request', (request) => asked.push(request.url()));
  host.on('pageerror', (error) => errors.push(error.message));
  const summary = 'Publish: <img src=x onerror="parent.postMessage(1,\'*\')"> <b>camera</b>';
  const heard = await showCard(host, {
    content: [],
    structuredContent: {
      requestId: 'ap_1',
      state: 'done',
      untrustedSummary: summary,
      untrustedOutcome: '<script>parent.postMessage(2,"*")</script>',
      liveUrl: 'https://market.example/item/1',
      code: null,
    },
  });
  const inside = host.frameLocator('iframe');
  await expect(inside.getByRole('heading')).toHaveText(summary);
  await expect(inside.locator('dt')).toHaveText(['Status', 'Outcome', 'Live at', 'Request']);
  await expect(inside.locator('dd')).toHaveText([
    'Done',
    '<script>parent.postMessage(2,"*")</script>',
    'https://market.example/item/1',
    'ap_1',
  ]);
  await expect(inside.locator('img, b, a, button, input, script:not(body > script)')).toHaveCount(0);
  expect(heard.map(({ method }) => method)).toEqual([
    'ui/initialize',
    'ui/notifications/initialized',
    'ui/notifications/size-changed',
  ]);
  expect({ asked, errors }).toEqual({ asked: [], errors: [] });
});

test('a receipt card uses its own labels if the answer provides none', async ({ host }) => {
  const structuredContent = { requestId: 'ap_1', state: 'done', untrustedOutcome: 'Online', liveUrl: null, code: null };
  const states = { done: 'Erledigt <b>jetzt</b>' };
  const wording = { language: 'de', title: 'Beleg', states, names: { state: 'Stand', outcome: 7 } };
  await showCard(host, { content: [], structuredContent, _meta: { 'listing-companion/receipt': wording } });
  const inside = host.frameLocator('iframe');
  await expect(inside.locator('dt')).toHaveText(['Stand', 'Outcome', 'Request']);
  await expect(inside.locator('dd')).toHaveText(['Erledigt <b>jetzt</b>', 'Online', 'ap_1']);
  await expect(inside.locator('html')).toHaveAttribute('lang', 'de');
  const odd = { ...structuredContent, state: 'constructor' };
  await showCard(host, { content: [], structuredContent: odd, _meta: { 'listing-companion/receipt': null } });
  await expect(host.frameLocator('iframe').locator('dd')).toHaveText(['constructor', 'Online', 'ap_1']);
});

test('a receipt card shows an item or a refusal in one line', async ({ host }) => {
  await showCard(host, { content: [], structuredContent: { itemId: 'it_1', words: 'Being written', listingId: null } });
  await expect(host.frameLocator('iframe').locator('dd')).toHaveText(['Being written']);
  await showCard(host, {
    isError: true,
    content: [],
    structuredContent: { code: 'NOT_FOUND', error: 'There is none.' },
  });
  await expect(host.frameLocator('iframe').locator('dd')).toHaveText(['There is none.']);
});
