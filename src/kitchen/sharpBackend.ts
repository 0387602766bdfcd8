import * as nodeModule from 'node:module';
import type sharpModule from 'sharp';

export type Sharp = typeof sharpModule;

const nativeForLinux = /^@img\/sharp-linux(musl)?-[a-z0-9]+\/sharp\.node$/;

/**
 * Loads sharp in the native or the WebAssembly build. Call it once per thread, before anything else imports sharp. For
 * WebAssembly the native builds are hidden from this thread, and sharp falls back to `@img/sharp-wasm32`, as on
 * platforms without a native build.
 */
export const loadSharpBuild = async ({ wasm }: { wasm: boolean }): Promise<Sharp> => {
  if (wasm) {
    // Electron's Node has `registerHooks`. The oldest supported Node has not, but it never uses WebAssembly.
    nodeModule.registerHooks({
      resolve(specifier, context, nextResolve) {
        if (!nativeForLinux.test(specifier)) return nextResolve(specifier, context);
        throw Object.assign(new Error('The native build is left out on purpose.'), { code: 'MODULE_NOT_FOUND' });
      },
    });
  }
  const { default: sharp } = await import('sharp');
  // Photos are processed in parallel, one per thread; more threads within a photo only add overhead.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
};
