import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { createPhotoReader } from '../../../../src/practice/writer/reading/photoReader.ts';
import { photoReading } from '../../../../src/practice/writer/startReader.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const chunks = join(root, 'out', 'main', 'chunks');
const installed = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .transform(({ dependencies }) => Object.keys(dependencies))
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

let folder: string;

/** Copies the built app with only its installed packages. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipped-reader-'));
  cpSync(join(root, 'out', 'main'), join(folder, 'out', 'main'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  for (const name of installed) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the built app reads printed text and barcodes without development packages', async () => {
  const program = { kind: 'node', path: process.execPath } as const;
  // The packages are links to folders that the sandbox would not allow.
  const sandbox = { permissions: false, namespaces: false };
  const startReader = photoReading.starter(photoReading.built(folder), program, { sandbox });
  const reader = createPhotoReader({ startReader });
  const seen = await reader.read(join(root, 'resources', 'samples', 'Orvanto headphones', 'P1020333.jpg'));
  await reader.close();
  expect(seen?.barcodes).toMatchObject([{ text: '2004170040147' }]);
  expect(seen?.lines.map(({ text }) => text)).toContain('Model: QN-40');
});

test('only one core and one language of the text recognition are shipped', () => {
  expect(installed.filter((name) => name.includes('tesseract'))).toEqual([]);
  // The fonts belong to the labels.
  const files = readdirSync(chunks).filter((name) => !/\.(js|ttf)$/.test(name));
  expect(files.sort()).toEqual(['eng.traineddata.gz', 'tesseract-core-relaxedsimd-lstm.wasm']);
  const bytes = files.reduce((sum, name) => sum + statSync(join(chunks, name)).size, 0);
  expect(bytes / 1e6).toBeLessThan(6);
});
