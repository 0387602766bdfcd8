import * as nodeModule from 'node:module';
import type sharpModule from 'sharp';

/** The sharp library as a value, whichever build is behind it. */
export type Sharp = typeof sharpModule;

const nativeForLinux = /^@img\/sharp-linux(musl)?-[a-z0-9]+\/sharp\.node$/;

/**
 * Loads sharp with the build that is told. Call it once in a thread, before anything else imports sharp.
 * For WebAssembly the native builds are hidden from this thread, and sharp then takes `@img/sharp-wasm32` by itself,
 * as it does on platforms without a native build.
 */
export const loadSharp = async ({ wasm }: { wasm: boolean }): Promise<Sharp> => {
  if (wasm) {
    // Electron's Node has it; the oldest that the app runs on by itself has not, and never comes here.
    nodeModule.registerHooks({
      resolve(specifier, context, nextResolve) {
        if (!nativeForLinux.test(specifier)) return nextResolve(specifier, context);
        throw Object.assign(new Error('The native build is left out on purpose.'), { code: 'MODULE_NOT_FOUND' });
      },
    });
  }
  const { default: sharp } = await import('sharp');
  // One photo a thread is the unit of parallel work; more threads inside one photo only add overhead.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
};
