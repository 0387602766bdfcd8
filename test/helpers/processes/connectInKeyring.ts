// Run under a D-Bus session with an unlocked keyring: connects a client, starts the command from its settings like the
// client, and prints the result.
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as z from 'zod';
import { startHeadless } from '../hosts/startHeadless.ts';
import { openWindowCalls } from '../hosts/windowCalls.ts';

const settings = z.object({
  mcpServers: z.object({ 'listing-companion': z.object({ command: z.string(), args: z.array(z.string()) }) }),
});

const home = homedir();
mkdirSync(join(home, '.cursor'));
const host = await startHeadless(['--no-open', '--bridge-port', '0', '--data', join(home, 'own data')]);
const window = await openWindowCalls(host.ui);
await window.ask('connect.practice', {});
const { planId } = await window.ask('clients.plan', { clientId: 'cursor' });
const connected = await window.ask('clients.connect', { clientId: 'cursor', planId });
const text = readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8');
const { command, args } = settings.parse(JSON.parse(text)).mcpServers['listing-companion'];
const client = new Client({ name: 'Some client', version: '1' });
const bus = process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '';
await client.connect(
  new StdioClientTransport({ command, args, env: { HOME: home, DBUS_SESSION_BUS_ADDRESS: bus, PATH: '' } }),
);
const standing = await client.callTool({ name: 'get_standing', arguments: {} });
const heard = await window.ask('clients.list', {});
await client.close();
const disconnected = await window.ask('clients.disconnect', { clientId: 'cursor' });
const { assistants } = await window.ask('assistants.list', {});
window.close();
await host.stop();
console.log(JSON.stringify({ connected, standing: standing.structuredContent, heard, disconnected, assistants }));
