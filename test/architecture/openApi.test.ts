import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createPathMatcher, refusedRoutes, routeNames, getRouteByName } from '../../src/contract/index.ts';
import { toolPath } from '../helpers/toolPath.ts';
import { startWorld, type World } from '../helpers/world.ts';

const described = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});
type Described = z.infer<typeof described>;

let folder: string;
let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  await writeFile(join(folder, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n');
  world = await startWorld();
  bridge = await world.bridge();
});
afterAll(async () => {
  await bridge.stop();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const addresses = {
  service: () => `${world.practice.url}/agent/openapi.json`,
  bridge: () => `${bridge.url}/companion/openapi.json`,
};
const fetchDescription = async (who: keyof typeof addresses): Promise<Described> =>
  described.parse(await (await fetch(addresses[who](), { headers: { connection: 'close' } })).json());

const found = z.array(z.looseObject({ source: z.string(), message: z.string() }));

/**
 * Returns the linter's findings for each description, hints included. One run checks all, because the start takes most
 * of the time.
 */
const lintDescriptions = async (documents: Record<string, Described>): Promise<Record<string, string[]>> => {
  const fileOf = (name: string): string => join(folder, `${name}.json`);
  const names = Object.keys(documents);
  for (const [name, document] of Object.entries(documents)) await writeFile(fileOf(name), JSON.stringify(document));
  const args = ['lint', ...names.map(fileOf), '--ruleset', join(folder, 'ruleset.yaml'), '--format', 'json'];
  const run = spawn(process.execPath, [toolPath('spectral'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = found.parse(JSON.parse(await text(run.stdout)));
  const isOf = (name: string) => (one: (typeof said)[number]) => basename(one.source, '.json') === name;
  return Object.fromEntries(names.map((name) => [name, said.filter(isOf(name)).map(({ message }) => message)]));
};

test('a linter accepts the OpenAPI descriptions and rejects a planted error', async () => {
  const [service, bridge] = [await fetchDescription('service'), await fetchDescription('bridge')];
  for (const { openapi } of [service, bridge]) expect(openapi).toMatch(/^3\.1/);
  const withError = (document: Described): Described => {
    const [path = ''] = Object.keys(document.paths);
    return { ...document, paths: { ...document.paths, [path]: { get: { responses: 'none' } } } };
  };
  const planted = { plantedService: withError(service), plantedBridge: withError(bridge) };
  const said = await lintDescriptions({ service, bridge, ...planted });
  expect(said).toMatchObject({ service: [], bridge: [] });
  for (const name of Object.keys(planted)) expect(said[name], name).not.toEqual([]);
});

const listCalls = ({ paths }: Described): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
/** Several patterns can match one path: /listings/upload-url also matches /listings/{listingId}. */
const isDescribed = ({ paths }: Described, method: string, path: string): boolean =>
  Object.entries(paths).some(
    ([pattern, methods]) => createPathMatcher(pattern)(path) !== null && method.toLowerCase() in methods,
  );
const connecting = ['startSignIn', 'verifySignIn'];

describe('the OpenAPI description compared with the served routes', () => {
  test('every route in the route table is described, and no refused route is', async () => {
    const calls = listCalls(await fetchDescription('bridge'));
    const proxied = routeNames.filter((name) => !connecting.includes(name));
    const wanted = proxied.map((name) => `${getRouteByName(name).method} ${getRouteByName(name).path}`);
    expect(wanted.filter((call) => !calls.includes(call))).toEqual([]);
    expect(refusedRoutes.filter(({ method, path }) => calls.includes(`${method} ${path}`))).toEqual([]);
    const others = calls.filter((call) => !wanted.includes(call));
    expect(others.filter((call) => !/^\w+ \/(companion|health|llms\.txt|mcp|uploads)/.test(call))).toEqual([]);
  });

  test('every described call is served, and no undescribed method is accepted', async () => {
    const document = await fetchDescription('bridge');
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    const wrong: string[] = [];
    for (const path of Object.keys(document.paths)) {
      for (const method of methods) {
        const address = bridge.url + path.replace(/\{[^}]+\}/g, 'x1');
        const answer = await fetch(address, { method });
        const { code } = z
          .looseObject({ code: z.string().optional() })
          .parse(answer.headers.get('content-type')?.includes('json') ? await answer.json() : {});
        const isServed = !['UNKNOWN_ROUTE', 'METHOD_NOT_ALLOWED', 'NOT_FOR_ASSISTANTS'].includes(code ?? '');
        // MCP handles methods itself, and routes of the connection are refused with their own code.
        if (path === '/mcp' || code === 'CONNECTION_IS_THE_PERSONS') continue;
        if (isServed !== isDescribed(document, method, new URL(address).pathname))
          wrong.push(`${method} ${path}: ${code ?? answer.status}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
