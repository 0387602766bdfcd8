// Run under a separate D-Bus session by the keychain test: starts the tools once per client, each given as [name,
// argument…] in JSON, and prints the answer to its first call. A client marked with ! waits until the person has paired
// it.
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as z from 'zod';
import { commandLine } from '../hosts/programs.ts';

const answer = z.looseObject({ structuredContent: z.looseObject({ code: z.string().optional() }) });
const environment = Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));

const codeFor = async (marked: string, args: string[]): Promise<string> => {
  const client = new Client({ name: marked.replace(/^!/, ''), version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [commandLine, 'mcp', ...args],
      env: z.record(z.string(), z.string()).parse(Object.fromEntries(environment)),
      stderr: 'ignore',
    }),
  );
  const call = async () => answer.parse(await client.callTool({ name: 'list_service_routes', arguments: {} }));
  let code = (await call()).structuredContent.code;
  while (marked.startsWith('!') && code === 'NOT_PAIRED') {
    await wait(100);
    code = (await call()).structuredContent.code;
  }
  await client.close();
  return code ?? 'let in';
};

const codes: string[] = [];
for (const given of process.argv.slice(2)) {
  const [name = '', ...args] = z.array(z.string()).parse(JSON.parse(given));
  codes.push(await codeFor(name, args));
}
console.log(JSON.stringify(codes));
