import { fileURLToPath } from 'node:url';

/** Whether this runs as it was built, and not from the sources. */
export const isBuilt = import.meta.filename.endsWith('.js');
/** Bundles lie in one folder, and what several of them share in one below it. */
const bundles = import.meta.dirname.endsWith('chunks') ? '../' : './';
const fileOf = (source: string, bundle: string): URL =>
  new URL(isBuilt ? `${bundles}${bundle}` : source, import.meta.url);

/** The folder of the checkout, or of the package. */
export const codeRoot = fileURLToPath(
  isBuilt ? new URL(`${bundles}../../`, import.meta.url) : new URL('../../', import.meta.url),
);

/** Where the programs of ours lie that run in threads or processes of their own: in the sources, or in the bundles when built. */
export const codeFiles = {
  commandLine: fileOf('../cli/index.ts', 'cli.js'),
};
