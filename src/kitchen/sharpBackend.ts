import type sharpModule from 'sharp';
import { blockNativeSharp, type ThreadStart } from '../isolated/photoThreads.ts';

export type Sharp = typeof sharpModule;

/**
 * Loads sharp in the native or the WebAssembly build. It must be called before any other code of the thread imports
 * sharp.
 */
export const loadSharpBuild = async ({ wasm }: ThreadStart): Promise<Sharp> => {
  if (wasm) blockNativeSharp();
  const { default: sharp } = await import('sharp');
  // Each thread processes one photo, so more threads per photo would only add overhead.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
};
