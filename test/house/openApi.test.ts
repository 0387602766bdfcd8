import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPractice } from '../helpers/practice.ts';

const spectral = fileURLToPath(new URL('../../node_modules/@stoplight/spectral-cli/dist/index.js', import.meta.url));
let folder: string;
let practice: Awaited<ReturnType<typeof startTestPractice>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  await writeFile(join(folder, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n');
  practice = await startTestPractice();
});
afterAll(async () => {
  await practice.close();
  await rm(folder, { recursive: true, force: true });
});

const lint = async (name: string, document: unknown) => {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(document));
  const args = [
    'lint',
    file,
    '--ruleset',
    join(folder, 'ruleset.yaml'),
    '--fail-severity',
    'error',
    '--format',
    'text',
  ];
  const run = spawnSync(process.execPath, [spectral, ...args], { encoding: 'utf8' });
  return { ok: run.status === 0, said: `${run.stdout}${run.stderr}` };
};

const served = async () =>
  (await fetch(`${practice.url}/agent/openapi.json`)).json() as Promise<{
    openapi: string;
    paths: Record<string, Record<string, unknown>>;
  }>;

test('a linter that nobody here wrote finds no error in the description of the service', async () => {
  const document = await served();
  expect(document.openapi).toMatch(/^3\.1/);
  expect(await lint('served', document)).toMatchObject({ ok: true });
});

test('the linter does find one that is planted', async () => {
  const document = await served();
  const [path = ''] = Object.keys(document.paths);
  document.paths[path] = { get: { responses: 'none' } };
  expect((await lint('planted', document)).ok).toBe(false);
});
