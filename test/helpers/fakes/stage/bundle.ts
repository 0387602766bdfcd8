import { build } from 'vite';

/** An entry and all that it imports as one script, which leaves nothing global but a variable of that name. */
export const bundle = async (entry: string, name: string, define: Record<string, string> = {}): Promise<string> => {
  const made = await build({
    configFile: false,
    // Modules of Node that nothing in the page uses are not worth a warning.
    logLevel: 'error',
    define,
    build: { write: false, minify: false, target: 'esnext', lib: { entry, formats: ['iife'], name } },
  });
  const [first] = Array.isArray(made) ? made : [made];
  const chunk = first && 'output' in first ? first.output[0] : null;
  if (!chunk) throw new Error(`${entry} was not built.`);
  return chunk.code;
};
