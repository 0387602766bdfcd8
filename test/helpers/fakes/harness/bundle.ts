import { build } from 'vite';

/** Bundles an entry and its imports into one script with a single global variable of this name. */
export const bundleScript = async (
  entry: string,
  name: string,
  define: Record<string, string> = {},
): Promise<string> => {
  const made = await build({
    configFile: false,
    // No warnings about Node modules that the page never uses.
    logLevel: 'error',
    define,
    build: { write: false, minify: false, target: 'esnext', lib: { entry, formats: ['iife'], name } },
  });
  const [first] = Array.isArray(made) ? made : [made];
  const chunk = first && 'output' in first ? first.output[0] : null;
  if (!chunk) throw new Error(`${entry} was not built.`);
  return chunk.code;
};
