import * as nodeModule from 'node:module';
import type sharpModule from 'sharp';

export type Sharp = typeof sharpModule;

const nativeForLinux = /^@img\/sharp-linux(musl)?-[a-z0-9]+\/sharp\.node$/;

/**
 * Loads sharp in the native or the WebAssembly build. It must be called before any other code of the thread imports
 * sharp.
 */
export const loadSharpBuild = async ({ wasm }: { wasm: boolean }): Promise<Sharp> => {
  if (wasm) {
    // Electron's Node has `registerHooks`. The oldest supported plain Node does not have it, but always uses the native
    // build.
    nodeModule.registerHooks({
      resolve(specifier, context, nextResolve) {
        if (!nativeForLinux.test(specifier)) return nextResolve(specifier, context);
        throw Object.assign(new Error('The native build is left out on purpose.'), { code: 'MODULE_NOT_FOUND' });
      },
    });
  }
  const { default: sharp } = await import('sharp');
  // Each thread processes one photo, so more threads per photo would only add overhead.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
};
