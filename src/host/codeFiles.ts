import { fileURLToPath } from 'node:url';

/** Is false when this code runs from the sources. */
export const isBuilt = import.meta.filename.endsWith('.js');
/** Entry bundles are in one folder, and shared chunks are in a folder below it. */
const bundles = import.meta.dirname.endsWith('chunks') ? '../' : './';
const resolveCodeFile = (source: string, bundle: string): URL =>
  new URL(isBuilt ? `${bundles}${bundle}` : source, import.meta.url);

/** The root folder of the checkout or of the package. */
export const codeRoot = fileURLToPath(
  isBuilt ? new URL(`${bundles}../../`, import.meta.url) : new URL('../../', import.meta.url),
);

/** Each of these programs runs in its own process. */
export const codeFiles = {
  commandLine: resolveCodeFile('../cli/index.ts', 'cli.js'),
};
