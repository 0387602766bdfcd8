import { fileURLToPath } from 'node:url';

/** False if this code runs from the sources. */
export const isBuilt = import.meta.filename.endsWith('.js');
/** Entry bundles are in one folder, and shared chunks are in a folder below it. */
const bundles = import.meta.dirname.endsWith('chunks') ? '../' : './';
const resolveCodeFile = (source: string, bundle: string): URL =>
  new URL(isBuilt ? `${bundles}${bundle}` : source, import.meta.url);

export const codeRoot = fileURLToPath(
  isBuilt ? new URL(`${bundles}../../`, import.meta.url) : new URL('../../', import.meta.url),
);

export const codeFiles = {
  commandLine: resolveCodeFile('../cli/index.ts', 'cli.js'),
  dataThread: resolveCodeFile('./dataThread/dataThread.ts', 'dataThread.js'),
  labelThread: resolveCodeFile('./labels/labelThread.ts', 'labelThread.js'),
};
