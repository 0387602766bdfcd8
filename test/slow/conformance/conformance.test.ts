import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairAssistant } from '../../helpers/assistant.ts';
import { toolPath } from '../../helpers/toolPath.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { expectedFailures, type Revision } from './expectedFailures.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let proxy: Server;
let folder: string;

/** Adds an assistant's token to each request, because the suite cannot send one. */
const startTokenProxy = async (token: string): Promise<Server> => {
  const { hostname, port, host: bridgeHost } = new URL(bridge.url);
  /** Keeps a foreign Host header, which the suite expects the bridge to refuse. */
  const toBridgeHost = ({ headers, socket }: IncomingMessage): string =>
    headers.host?.endsWith(`:${socket.localPort}`) ? bridgeHost : (headers.host ?? '');
  const server = createServer((incoming, response) => {
    const headers = { ...incoming.headers, host: toBridgeHost(incoming), authorization: `Bearer ${token}` };
    const sent = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
};

beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  proxy = await startTokenProxy((await pairAssistant(world, bridge.url, 'Conformance')).token);
  folder = mkdtempSync(join(tmpdir(), 'conformance-'));
});
afterEach(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await bridge.stop();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const checks = z.array(z.looseObject({ id: z.string(), status: z.string() }));
const address = z.object({ port: z.number() });

/** Runs every scenario that the suite knows for a revision. Returns its checks with their status. */
const runSuite = async (revision: Revision) => {
  const url = `http://127.0.0.1:${address.parse(proxy.address()).port}/mcp`;
  const args = ['server', '--url', url, '--requirements', revision, '--output-dir', folder];
  // The exit code is that of a run with failures, which the results name.
  await promisify(execFile)(process.execPath, [toolPath('conformance'), ...args], { maxBuffer: 2 ** 26 }).catch(
    () => null,
  );
  return readdirSync(folder).flatMap((name) => {
    const [, scenario = name] = /^server-(.+)-\d{4}-\d{2}-\d{2}T[^T]+$/.exec(name) ?? [];
    return checks
      .parse(JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')))
      .map(({ id, status }) => ({ check: `${scenario}:${id}`, status }));
  });
};

/** How many checks the bridge passes. A check that is no longer run changes the number. */
const passed: Record<Revision, number> = { '2025-11-25': 39, '2026-07-28': 104 };

test.each<Revision>(['2025-11-25', '2026-07-28'])(
  'the bridge passes the conformance suite of revision %s except for the listed checks',
  async (revision) => {
    const found = await runSuite(revision);
    const failed = found.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    const expected = expectedFailures.flatMap(({ both = [], only = {} }) => [...both, ...(only[revision] ?? [])]);
    expect(failed.map(({ check }) => check).sort()).toEqual(expected.sort());
    expect(found.filter(({ status }) => status === 'SUCCESS')).toHaveLength(passed[revision]);
  },
);
