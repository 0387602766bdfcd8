import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { pairAssistant } from './assistant.ts';
import { drawTextlessItem } from './drawItem.ts';
import { expect, test } from './host.ts';
import { answerAfterGeneration } from './practiceControl.ts';

const result = z.looseObject({ isError: z.boolean().optional(), structuredContent: z.looseObject({}) });
const readText = (data: Record<string, unknown>, name: string): string => z.string().parse(data[name]);

/** Connects an assistant with MCP tools only, on the newer protocol revision. */
const connectTools = async (bridgeUrl: string, token: string) => {
  const client = new Client(
    { name: 'Tidy Helper', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', bridgeUrl), { requestInit }));
  await client.listTools();
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
    const { isError, structuredContent } = result.parse(await client.callTool({ name, arguments: args }));
    expect(isError ?? false, JSON.stringify(structuredContent)).toBe(false);
    return structuredContent;
  };
  return { call, close: () => client.close() };
};

test('an assistant turns a folder into a live listing with MCP tools and one approval', async ({
  host,
  keep,
}, info) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await answerAfterGeneration(page);
  const folder = info.outputPath('Canon EOS 250D camera');
  await drawTextlessItem(folder);

  const bridgeUrl = await host.bridgeUrl();
  const { token } = await pairAssistant(page, bridgeUrl, 'Tidy Helper');
  const row = page.getByRole('listitem').filter({ hasText: 'Tidy Helper' }).first();
  await row.getByRole('button', { name: 'Change limits' }).click();
  await row.getByLabel('Add a folder').fill(folder);
  await row.getByLabel('Add a folder').press('Enter');
  await expect(row.getByRole('button', { name: `Remove ${folder}` })).toBeVisible();

  const tools = await connectTools(bridgeUrl, token);
  expect(await tools.call('get_standing')).toMatchObject({ market: { connected: true } });
  const { itemId } = await tools.call('create_listing_from_photos', { folder });
  await expect
    .poll(async () => (await tools.call('check_request', { itemId, waitS: 20 }))['step'], { timeout: 60_000 })
    .toBe('review');
  const listingId = readText(await tools.call('check_request', { itemId }), 'listingId');
  expect(await tools.call('get_listing', { listingId })).toMatchObject({ status: 'pending_review' });
  expect(await tools.call('quote_fees', { listingId })).toMatchObject({ currency: 'USD' });

  const asked = await tools.call('publish_listing', { listingId, confirmed: true, reason: 'The camera is ready.' });
  const requestId = readText(asked, 'requestId');
  expect(await tools.call('check_request', { requestId })).toMatchObject({ state: 'pending' });

  // The person is editing folders, so the prompt does not open automatically.
  await page.getByRole('button', { name: 'Review' }).click();
  const prompt = page.getByRole('dialog', { name: /^Publish/ });
  await expect(prompt.getByText('The camera is ready.')).toBeVisible();
  await keep('mcp-asked');
  await prompt.getByRole('button', { name: /^Publish (for|free)|^Publish, fee unknown/ }).click();

  await expect.poll(async () => (await tools.call('check_request', { requestId, waitS: 20 }))['state']).toBe('done');
  const done = await tools.call('check_request', { requestId });
  expect(readText(done, 'liveUrl')).toMatch(/^https?:/);
  expect(await tools.call('get_listing', { listingId })).toMatchObject({ status: 'published' });
  await tools.close();
});
