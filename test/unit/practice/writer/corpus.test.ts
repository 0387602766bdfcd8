import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { composeListing } from '../../../../src/practice/writer/compose.ts';
import { parseBarcode } from '../../../../src/practice/writer/facts/identifiers.ts';
import { createPhotoReader, readPhotos } from '../../../../src/practice/writer/reading/photoReader.ts';
import type { PhotoReading } from '../../../../src/practice/writer/reading/photoReading.ts';
import { readerCode, startReader } from '../../../helpers/practice/startReader.ts';
import { sampledBy, drawSample } from '../../../helpers/sample.ts';

const corpus = new URL('../../../../../shared/photos/', import.meta.url);
const manifestUrl = new URL('MANIFEST.json', corpus);
const present = existsSync(manifestUrl);
if (!present) console.log('Skipped: the photo corpus is not beside this repository (../shared/photos).');

const manifest = z.object({
  files: z.array(z.looseObject({ path: z.string(), barcode: z.looseObject({ text: z.string() }).nullish() })),
});

// Returns the codes in the item specifics of the composed listing.
const listCodes = (readings: readonly PhotoReading[]): string[] => {
  if (readings.length === 0) return [];
  const { itemSpecifics } = composeListing(readings, {
    words: '',
    quantity: 1,
    marketplaceId: 'MKT_US',
    language: 'en-US',
  });
  return ['ISBN', 'EAN', 'UPC'].flatMap((label) => itemSpecifics[label] ?? []);
};

test.skipIf(!present)(
  `most barcodes in real photos are read and listed (${sampledBy})`,
  { timeout: 600_000 },
  async () => {
    const { files } = manifest.parse(JSON.parse(readFileSync(manifestUrl, 'utf8')));
    const all = files.flatMap(({ path, barcode }) => (barcode ? [{ path, code: barcode.text }] : []));
    const coded = drawSample('codes', all, 10);
    const reader = createPhotoReader({ startReader });
    const results: { path: string; code: string; read: string[]; listed: boolean }[] = [];
    for (const { path, code } of coded) {
      const readings = await readPhotos(reader, [fileURLToPath(new URL(path, corpus))]);
      const read = readings.flatMap(({ barcodes }) => barcodes.flatMap((bars) => parseBarcode(bars)?.code ?? []));
      results.push({ path, code, read, listed: listCodes(readings).includes(code) });
    }
    await reader.close();
    const right = results.filter(({ code, read }) => read.includes(code));
    const wrong = results.filter(({ code, read }) => read.length > 0 && !read.includes(code));
    const listed = results.filter((it) => it.listed);
    console.log(`Barcodes: ${right.length} of ${results.length} read, ${wrong.length} misread.`);
    console.log(`Barcodes in the item specifics of the written listing: ${listed.length} of ${results.length}.`);
    for (const { path, code, read } of results.filter((it) => !right.includes(it)))
      console.log(`  not read: ${path} (${code}${read.length > 0 ? `, read as ${read.join(', ')}` : ''})`);
    for (const { path, code } of right.filter((it) => !listed.includes(it)))
      console.log(`  read, but not listed: ${path} (${code})`);
    const enough = Math.min(30, Math.floor(coded.length * 0.85));
    expect(right.length).toBeGreaterThanOrEqual(enough);
    expect(listed.length).toBeGreaterThanOrEqual(enough);
  },
);

test('a thread that must use WebAssembly does not load the native image library', async () => {
  const source = `
    const { parentPort } = await import('node:worker_threads');
    await import(${JSON.stringify(readerCode.thread.href)});
    const sharp = (await import(${JSON.stringify(import.meta.resolve('sharp'))})).default;
    parentPort.postMessage(Object.keys(sharp.versions));`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: { wasm: true },
  });
  const versions = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
  if (process.platform === 'linux') expect(versions).toContain('emscripten');
});
