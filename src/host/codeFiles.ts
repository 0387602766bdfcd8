const isBuilt = import.meta.filename.endsWith('.js');
/** Bundles lie in one folder, and what several of them share in one below it. */
const bundles = import.meta.dirname.endsWith('chunks') ? '../' : './';
const fileOf = (source: string, bundle: string): URL =>
  new URL(isBuilt ? `${bundles}${bundle}` : source, import.meta.url);

/** Where the programs of ours lie that run in threads or processes of their own: in the sources, or in the bundles when built. */
export const codeFiles = {
  photoWorker: fileOf('../core/photos/decode/worker.ts', 'photoWorker.js'),
  writerWorker: fileOf('../practice/writer/worker.ts', 'writerWorker.js'),
  commandLine: fileOf('../cli/index.ts', 'cli.js'),
};
