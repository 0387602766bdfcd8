import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as zxing from 'zxing-wasm/reader';

const startBarcodeReader = async (): Promise<typeof zxing> => {
  const reader = await import('zxing-wasm/reader');
  // The reader would otherwise download its WebAssembly.
  const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  await reader.prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
  return reader;
};

let loading: ReturnType<typeof startBarcodeReader> | undefined;

/** Loads the barcode reader once in each thread. */
export const loadBarcodeReader = (): Promise<typeof zxing> => (loading ??= startBarcodeReader());
