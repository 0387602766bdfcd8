import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createPhotoReader } from '../../../src/practice/writer/photoReader.ts';
import { identifierOf } from '../../../src/practice/writer/identifiers.ts';

const corpus = new URL('../../../../shared/photos/', import.meta.url);
const manifestUrl = new URL('MANIFEST.json', corpus);
const present = existsSync(manifestUrl);
if (!present) console.log('Skipped: the photo corpus is not beside this repository (../shared/photos).');

const manifest = z.object({
  files: z.array(z.looseObject({ path: z.string(), barcode: z.looseObject({ text: z.string() }).nullish() })),
});

const workerUrl = new URL('../../../src/practice/writer/worker.ts', import.meta.url);

test.skipIf(!present)('most codes of the photo corpus are read', { timeout: 60_000 }, async () => {
  const { files } = manifest.parse(JSON.parse(readFileSync(manifestUrl, 'utf8')));
  const coded = files.flatMap(({ path, barcode }) => (barcode ? [{ path, code: barcode.text }] : []));
  const reader = createPhotoReader({ workerUrl });
  const results: { path: string; code: string; read: string[] }[] = [];
  for (const { path, code } of coded) {
    const file = fileURLToPath(new URL(path, corpus));
    // As the writer does it: everything at a working size, then the codes alone at full size.
    const look = await reader.read('look', file);
    const found = look?.barcodes.length ? look : await reader.read('closer', file);
    results.push({ path, code, read: (found?.barcodes ?? []).flatMap((bars) => identifierOf(bars)?.code ?? []) });
  }
  await reader.close();
  const right = results.filter(({ code, read }) => read.includes(code));
  const wrong = results.filter(({ code, read }) => read.length > 0 && !read.includes(code));
  console.log(`Barcodes: ${right.length} of ${results.length} read, ${wrong.length} misread.`);
  for (const { path, code, read } of results.filter((it) => !right.includes(it)))
    console.log(`  not read: ${path} (${code}${read.length > 0 ? `, read as ${read.join(', ')}` : ''})`);
  expect(right.length).toBeGreaterThanOrEqual(Math.min(30, Math.floor(coded.length * 0.85)));
});

test('inside Electron on Linux the image library’s native build is left alone', async () => {
  const source = `
    Object.defineProperty(process.versions, 'electron', { value: '45.0.0' });
    const { parentPort } = await import('node:worker_threads');
    await import(${JSON.stringify(workerUrl.href)});
    const sharp = (await import(${JSON.stringify(import.meta.resolve('sharp'))})).default;
    parentPort.postMessage(Object.keys(sharp.versions));`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  const versions = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
  if (process.platform === 'linux') expect(versions).toContain('emscripten');
});
