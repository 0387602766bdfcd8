import { fileURLToPath } from 'node:url';

/** Whether this runs from the bundles and not from the sources. */
export const isBuilt = import.meta.filename.endsWith('.js');
/** Entry bundles are in one folder, and shared chunks in a folder below it. */
const bundles = import.meta.dirname.endsWith('chunks') ? '../' : './';
const resolveCodeFile = (source: string, bundle: string): URL =>
  new URL(isBuilt ? `${bundles}${bundle}` : source, import.meta.url);

/** The folder of the checkout or of the package. */
export const codeRoot = fileURLToPath(
  isBuilt ? new URL(`${bundles}../../`, import.meta.url) : new URL('../../', import.meta.url),
);

/** The files of programs that run in their own processes: sources, or bundles if built. */
export const codeFiles = {
  commandLine: resolveCodeFile('../cli/index.ts', 'cli.js'),
};
