import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unpackExtension } from '@anthropic-ai/mcpb';
import { McpbManifestSchema } from '@anthropic-ai/mcpb/schemas/0.3';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { tools } from '../../../src/bridge/mcp/tools/index.ts';
import { commands } from '../../../src/cli/commands.ts';
import { identityVariable } from '../../../src/cli/mcp/serveTools.ts';
import { tokenVariable } from '../../../src/host/clientTokens.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const about = z
  .looseObject({ version: z.string(), mcpName: z.string(), bin: z.record(z.string(), z.string()) })
  .parse(readJson('package.json'));

/** The operating systems of desktop clients, as Node names them. */
const systems = ['darwin', 'linux', 'win32'];

describe('the bundle for desktop clients', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcpb-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('the manifest matches the published schema and lists the existing tools', () => {
    const manifest = McpbManifestSchema.parse(readJson('resources/mcpb/manifest.json'));
    expect(manifest.version).toBe(about.version);
    expect(manifest.tools).toEqual(tools.map(({ name, title }) => ({ name, description: title })));
  });

  test('the packed bundle serves the tools without the project’s node_modules', async () => {
    const [mcpbFile, unpacked] = [join(folder, 'companion.mcpb'), join(folder, 'unpacked')];
    await promisify(execFile)(process.execPath, [join(root, 'scripts', 'packMcpb.mjs'), mcpbFile]);
    await unpackExtension({ mcpbPath: mcpbFile, outputDir: unpacked, silent: true });
    const keychains = await readdir(join(unpacked, 'node_modules', 'keytar', 'prebuilds'));
    expect(keychains.sort()).toEqual(systems.flatMap((system) => [`${system}-arm64`, `${system}-x64`]));
    // The folder of the bundle is outside the project, so its node_modules are out of reach.
    const loading = `createRequire(${JSON.stringify(join(unpacked, 'server', 'index.js'))})('keytar')`;
    const loaded = `import { createRequire } from 'node:module'; console.log(typeof ${loading}.getPassword)`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', loaded]);
    expect(stdout.trim()).toBe('function');
    const client = new Client({ name: 'Desktop client', version: '1' });
    // The home folder is empty, so no companion is found.
    const env = { HOME: folder, XDG_DATA_HOME: folder, APPDATA: folder };
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(unpacked, 'server', 'index.js')],
      cwd: folder,
      env,
      stderr: 'pipe',
    });
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(tools.length);
    expect(await client.callTool({ name: 'get_standing', arguments: {} })).toMatchObject({
      isError: true,
      structuredContent: { code: 'NOT_RUNNING' },
    });
    await client.close();
    expect(readFileSync(join(unpacked, 'server', 'identity'), 'utf8')).toMatch(/^lci_/);
  }, 60_000);
});

// The schema of the registry is not on npm. These are its rules for the fields of this entry.
const serverJson = z.strictObject({
  $schema: z.string().regex(/\/schemas\/2025-12-11\/server\.schema\.json$/),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+$/),
  packages: z.array(
    z.strictObject({
      registryType: z.enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb']),
      identifier: z.string().min(1),
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      runtimeHint: z.string(),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
      environmentVariables: z.array(
        z.strictObject({ name: z.string(), description: z.string(), isRequired: z.boolean(), isSecret: z.boolean() }),
      ),
    }),
  ),
});

test('the registry entry names this package, its version and an existing command', () => {
  const server = serverJson.parse(readJson('server.json'));
  expect([server.name, server.version]).toEqual([about.mcpName, about.version]);
  const [npm] = server.packages;
  expect([npm?.identifier, npm?.version]).toEqual([Object.keys(about.bin)[0], about.version]);
  expect(npm?.packageArguments.every(({ value }) => value in commands)).toBe(true);
  expect(npm?.environmentVariables.map(({ name }) => name)).toEqual([tokenVariable, identityVariable]);
});
