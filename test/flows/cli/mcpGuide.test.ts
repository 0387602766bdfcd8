import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { commandLine } from '../../helpers/hosts/programs.ts';
import { startWorld } from '../../helpers/world.ts';

const cardType = 'text/html;profile=mcp-app';
const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [cardType] } } };
const pages = z.looseObject({ contents: z.tuple([z.looseObject({ mimeType: z.string(), text: z.string() })]) });

test.each(['legacy', { pin: '2026-07-28' }] as const)(
  'a client can read the guide and the card over stdio with the protocol %j',
  async (mode) => {
    const world = await startWorld();
    const client = new Client(
      { name: 'Desktop client', version: '1.0.0' },
      { versionNegotiation: { mode }, capabilities },
    );
    const args = [commandLine, 'mcp', '--data', world.dataDir, '--keychain', 'memory'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' }));
    const readPage = async (uri: string) => pages.parse(await client.readResource({ uri })).contents[0];

    expect(await readPage('ui://listing-companion/receipt')).toMatchObject({ mimeType: cardType });
    const withCard = (await client.listTools()).tools.filter((tool) => tool._meta !== undefined);
    expect(withCard.map(({ name }) => name)).toEqual(['check_request']);
    await expect(readPage('companion://guide')).rejects.toThrow('Listing Companion is not running.');
    const bridge = await world.bridge();
    const guide = await readPage('companion://guide');
    expect(guide.text).toContain(`Its address is ${bridge.url}`);

    // The mcp process does not know the person's language, so the results contain the texts of the card.
    world.companion().changeSettings({ language: 'de' });
    const checkRequest = () => client.callTool({ name: 'check_request', arguments: { requestId: 'none' } });
    await checkRequest();
    const { assistants } = world.companion();
    assistants.accept(assistants.list().pairings[0]?.pairingId ?? '');
    const wording = { language: 'de', title: 'Beleg', states: { done: 'Erledigt' }, names: { outcome: 'Ergebnis' } };
    expect(await checkRequest()).toMatchObject({
      structuredContent: { code: 'NOT_FOUND' },
      _meta: { 'listing-companion/receipt': wording },
    });

    await client.close();
    await bridge.stop();
    await world.close();
  },
);
