import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { bundleSharp, sharpScripts } from './scripts/bundleSharp.ts';
import { shipReaderFiles } from './scripts/shipReaderFiles.ts';

const at = (...parts: string[]): string => resolve(import.meta.dirname, ...parts);

/** Bundled, as finding and reading their hundreds of files is most of what a start takes. */
const bundled = [
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  'chokidar',
  'express',
  'file-type',
  'helmet',
  'htmlparser2',
  'papaparse',
  'pino',
  'rotating-file-stream',
  'undici',
  'ws',
  'zod',
];

const homeModule = at('src/renderer/src/app/Home.tsx');

/**
 * Two scripts for what is seen first, each with all that it needs: every further file is a request that the window waits
 * for. What later screens share with the two lies in them.
 */
const firstScripts: Rolldown.CodeSplittingGroup[] = [
  { name: 'start', tags: ['$initial'] },
  { name: 'home', test: (id) => id === homeModule },
];

/**
 * The frame around all screens is fetched with the window itself: whoever is connected needs it as soon as the state is
 * known. Its links are marked, so that a host leaves them out where it knows that a first run is shown.
 */
const fetchHomeEarly: Plugin = {
  name: 'fetch-home-early',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
      const home = chunks.find(({ moduleIds }) => moduleIds.includes(homeModule));
      if (home === undefined) throw new Error('The frame around the screens has no file of its own.');
      const link = (file: string, rel: string) => ({
        tag: 'link',
        // The host adds its nonce behind `rel`, which comes first.
        attrs: { rel, crossorigin: true, 'data-app-frame': true, href: `./${file}` },
        injectTo: 'head' as const,
      });
      return [
        ...[home.fileName, ...home.imports].map((file) => link(file, 'modulepreload')),
        ...[...(home.viteMetadata?.importedCss ?? [])].map((file) => link(file, 'stylesheet')),
      ].filter(({ attrs }) => !html.includes(attrs.href));
    },
  },
};

export default defineConfig({
  main: {
    plugins: [bundleSharp, shipReaderFiles],
    build: {
      outDir: at('out/main'),
      // For the files of the text reader; a build for Node leaves files that are no code out by default.
      emitAssets: true,
      externalizeDeps: { include: ['keytar'], exclude: [...bundled, ...sharpScripts] },
      rollupOptions: {
        input: {
          index: at('src/main/index.ts'),
          kitchen: at('src/kitchen/index.ts'),
          kitchenThread: at('src/kitchen/worker.ts'),
          reader: at('src/practice/writer/readerProcess.ts'),
          readerThread: at('src/practice/writer/worker.ts'),
          // Both run on plain Node as well: they are what the npm package starts.
          headless: at('src/headless/index.ts'),
          cli: at('src/cli/index.ts'),
        },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // A start reads megabytes, a fifth of them comments and indentation. Names stay, as traces of errors show them.
          minify: { compress: false, mangle: false, codegen: true },
        },
      },
    },
  },
  preload: {
    build: {
      outDir: at('out/preload'),
      rollupOptions: {
        input: { index: at('src/preload/index.ts') },
        // A sandboxed preload must be CommonJS.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    base: './',
    plugins: [react(), fetchHomeEarly],
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      minify: true,
      rollupOptions: {
        input: at('src/renderer/index.html'),
        output: { codeSplitting: { groups: firstScripts } },
      },
    },
  },
});
