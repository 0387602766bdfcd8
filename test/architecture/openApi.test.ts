import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { fitterOf, refusedRoutes, routeNames, routeOf } from '../../src/contract/index.ts';
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
const served = async (who: keyof typeof addresses): Promise<Described> =>
  described.parse(await (await fetch(addresses[who](), { headers: { connection: 'close' } })).json());

/** What the linter says of a description; it ends well only when there is neither an error nor a warning nor a hint. */
const lint = async (name: string, document: Described): Promise<{ ok: boolean; said: string }> => {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(document));
  const args = ['lint', file, '--ruleset', join(folder, 'ruleset.yaml'), '--fail-severity', 'hint', '--format', 'text'];
  const run = spawn(process.execPath, [toolPath('spectral'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((resolve) => run.once('close', resolve));
  return { ok: code === 0, said };
};

describe.each(['service', 'bridge'] as const)('the description of the %s', (who) => {
  test('is clean to a linter that nobody here wrote', async () => {
    const document = await served(who);
    expect(document.openapi).toMatch(/^3\.1/);
    expect(await lint(who, document)).toMatchObject({ ok: true });
  });

  test('is not clean once an error is planted', async () => {
    const document = await served(who);
    const [path = ''] = Object.keys(document.paths);
    document.paths[path] = { get: { responses: 'none' } };
    expect((await lint(`${who}-planted`, document)).ok).toBe(false);
  });
});

const callsOf = ({ paths }: Described): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
/** Whether any of the described paths is this one and takes the method: /listings/upload-url is also a /listings/{listingId}. */
const isDescribed = ({ paths }: Described, method: string, path: string): boolean =>
  Object.entries(paths).some(
    ([pattern, methods]) => fitterOf(pattern)(path) !== null && method.toLowerCase() in methods,
  );
const connecting = ['startSignIn', 'verifySignIn'];

describe('the description and what the bridge serves', () => {
  test('every route of the table is described, and none that is refused', async () => {
    const calls = callsOf(await served('bridge'));
    const proxied = routeNames.filter((name) => !connecting.includes(name));
    const wanted = proxied.map((name) => `${routeOf(name).method} ${routeOf(name).path}`);
    expect(wanted.filter((call) => !calls.includes(call))).toEqual([]);
    expect(refusedRoutes.filter(({ method, path }) => calls.includes(`${method} ${path}`))).toEqual([]);
    const others = calls.filter((call) => !wanted.includes(call));
    expect(others.filter((call) => !/^\w+ \/(companion|health|llms\.txt|mcp|uploads)/.test(call))).toEqual([]);
  });

  test('every call that is described is served, and its path takes no other method', async () => {
    const document = await served('bridge');
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
        // MCP says by itself which methods it takes; those of the connection are refused by name.
        if (path === '/mcp' || code === 'CONNECTION_IS_THE_PERSONS') continue;
        if (isServed !== isDescribed(document, method, new URL(address).pathname))
          wrong.push(`${method} ${path}: ${code ?? answer.status}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
