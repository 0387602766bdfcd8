import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';

const root = join(import.meta.dirname, '..', '..');
const report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

/** Returns the violations that dependency-cruiser finds in a folder, each as `rule: from > to`. */
const findViolations = (folder: string): string[] => {
  const cruiser = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const args = [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'];
  const done = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  const found = report.parse(JSON.parse(done.stdout)).summary.violations;
  return found.map(({ rule, from, to }) => `${rule.name}: ${from} > ${to}`);
};

test('every source folder follows its import rules', () => {
  expect(findViolations(root)).toEqual([]);
});

/** A small project in which each file breaks or follows one import rule. */
const planted = {
  'src/core/base/ports.ts': 'export type Port = 1;\nexport const port = 1;\n',
  'src/ipc/calls.ts': 'export type Call = 1;\nexport const call = 1;\n',
  'src/contract/knowsCore.ts': "export { port } from '../core/base/ports.ts';\n",
  'src/practice/knowsTypesOfCore.ts': "export type { Port } from '../core/base/ports.ts';\n",
  'src/ipc/knowsCore.ts': "export { port } from '../core/base/ports.ts';\n",
  'src/ipc/knowsTypesOfCore.ts': "export type { Port } from '../core/base/ports.ts';\n",
  'src/preload/knowsIpc.ts': "export { call } from '../ipc/calls.ts';\n",
  'src/renderer/knowsIpc.ts': "export { call } from '../ipc/calls.ts';\n",
  'src/photoContract/exif.ts': 'export const exif = 1;\n',
  'src/photoContract/knowsCore.ts': "export { port } from '../core/base/ports.ts';\n",
  'src/kitchen/knowsTypesOfCore.ts': "export type { Port } from '../core/base/ports.ts';\n",
  'src/kitchen/knowsPhotoContract.ts': "export { exif } from '../photoContract/exif.ts';\n",
  'src/isolated/knowsKitchen.ts': "export { exif } from '../kitchen/knowsPhotoContract.ts';\n",
  'src/isolated/processClient.ts': "export { start } from './startIsolated.ts';\n",
  'src/isolated/startIsolated.ts': 'export const start = 1;\n',
  'src/core/talksToProcess.ts': "export { start } from '../isolated/processClient.ts';\n",
  'src/core/startsProcess.ts': "export { start } from '../isolated/startIsolated.ts';\n",
  'src/headless/knowsElectron.ts': "import { app } from 'electron';\nexport const name = app.getName();\n",
  'src/main/knowsElectron.ts': "import { app } from 'electron';\nexport const name = app.getName();\n",
  'src/core/knowsExpress.ts': "import express from 'express';\nexport const app = express();\n",
  'src/core/base/knowsItems.ts': "export type { Item } from '../items/runItem.ts';\n",
  'src/core/items/runItem.ts': "export type { Port } from '../base/ports.ts';\nexport type Item = 1;\n",
  'src/core/one.ts': "import { two } from './two.ts';\nexport const one = (): number => two();\n",
  'src/core/two.ts': "import { one } from './one.ts';\nexport const two = (): number => one();\n",
};

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'house-'));
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json']) copyFileSync(join(root, name), join(project, name));
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'), 'junction');
  for (const [path, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

test('the import check reports each planted violation and nothing else', () => {
  const found = findViolations(project).map((line) => line.split(' > ')[0]);
  expect([...new Set(found)].sort()).toEqual([
    'contract-imports-only-its-own: src/contract/knowsCore.ts',
    'core-base-knows-lower-layers-only: src/core/base/knowsItems.ts',
    'core-starts-no-process: src/core/startsProcess.ts',
    'electron-in-its-hosts-only: src/headless/knowsElectron.ts',
    'express-in-servers-only: src/core/knowsExpress.ts',
    'ipc-imports-only-types: src/ipc/knowsCore.ts',
    'isolated-imports-only-its-own: src/isolated/knowsKitchen.ts',
    'kitchen-imports-only-its-own: src/kitchen/knowsTypesOfCore.ts',
    'no-rings: src/core/one.ts',
    'photoContract-imports-only-its-own: src/photoContract/knowsCore.ts',
    'practice-imports-only-its-own: src/practice/knowsTypesOfCore.ts',
    'preload-imports-only-types: src/preload/knowsIpc.ts',
  ]);
});
