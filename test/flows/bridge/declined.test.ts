import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { DeclineReason } from '../../../src/core/base/problem.ts';
import { createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { pairAssistant } from '../../helpers/assistant.ts';
import { commandLine } from '../../helpers/hosts/programs.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

const declinePrompt = (why: DeclineReason): void => {
  const [shown] = world.companion().approvals.listPending();
  world.companion().approvals.decline(shown?.approvalId ?? '', shown?.digest ?? '', why);
  world.clock.advance(60_000);
};
const facts = { code: 'PERSON_DECLINED', declinedBecause: 'wrong_details', retryAfterS: 540 };
const toolAnswer = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

/** Connects a client of the official MCP kit over the given transport. */
const connectClient = async (transport: StreamableHTTPClientTransport | StdioClientTransport) => {
  const client = new Client({ name: 'Desktop client', version: '1.0.0' });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown>) =>
    toolAnswer.parse(await client.callTool({ name, arguments: args }));
  return { call, close: () => client.close() };
};

test('every HTTP response about a declined act contains the person’s reason', async () => {
  const one = await pairAssistant(world, bridge.url);
  const [listingId, other] = [await createWrittenListing(world), await createWrittenListing(world)];
  const asked = await one.call('POST', `/market/publish/${listingId}`, { body: {} });
  declinePrompt('wrong_details');
  const again = await one.call('POST', `/market/publish/${listingId}`, { body: { autoDelistOnSale: false } });
  expect(again).toMatchObject({ status: 403, body: facts, headers: { 'retry-after': '540' } });
  const { id } = z.object({ approval: z.object({ id: z.string() }) }).parse(asked.body).approval;
  const record = await one.call('GET', `/companion/approvals/${id}`);
  expect(record.body).toMatchObject({
    approval: { state: 'declined', declinedBecause: 'wrong_details', retryAfterS: 540 },
  });
  const requests = [listingId, other].map((id) => ({ method: 'POST', path: `/market/publish/${id}` }));
  const batch = await one.call('POST', '/companion/approvals/batch', { body: { requests } });
  expect(batch.body).toMatchObject({ approvals: [{ listingId, ...facts }, { listingId: other }] });
});

describe.each(['HTTP', 'stdio'] as const)('an MCP client over %s', (way) => {
  const openClient = async () => {
    if (way === 'HTTP') {
      const { token } = await pairAssistant(world, bridge.url);
      const headers = { authorization: `Bearer ${token}` };
      return connectClient(
        new StreamableHTTPClientTransport(new URL(`${bridge.url}/mcp`), { requestInit: { headers } }),
      );
    }
    const args = [commandLine, 'mcp', '--data', world.dataDir, '--keychain', 'memory'];
    const client = await connectClient(new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' }));
    await client.call('get_standing', {});
    world.companion().assistants.accept(world.companion().assistants.list().pairings[0]?.pairingId ?? '');
    return client;
  };

  test('every tool that requests a declined act returns the person’s reason', async () => {
    const client = await openClient();
    try {
      const listingId = await createWrittenListing(world);
      const asked = await client.call('publish_listing', { listingId, waitS: 0 });
      const { requestId } = asked.structuredContent ?? {};
      declinePrompt('wrong_details');
      const again = await client.call('publish_listing', { listingId, waitS: 0 });
      expect(again).toMatchObject({ isError: true, structuredContent: facts });
      const input = { params: { listingId }, body: { channels: ['market'] } };
      const around = await client.call('call_service', { route: 'publishChannels', ...input, waitS: 0 });
      expect(around).toMatchObject({ isError: true, structuredContent: facts });
      const looked = await client.call('check_request', { requestId });
      expect(looked.structuredContent).toMatchObject({ declinedBecause: 'wrong_details', retryAfterS: 540 });
      expect(world.companion().approvals.listPending()).toEqual([]);
    } finally {
      await client.close();
    }
  });
});
