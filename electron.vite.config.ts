import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { bundleSharp, sharpScripts } from './scripts/bundleSharp.ts';
import { shipReaderFiles } from './scripts/shipReaderFiles.ts';

const at = (...parts: string[]): string => resolve(import.meta.dirname, ...parts);

/** These packages are bundled, because reading their hundreds of files takes most of a start. */
const bundled = [
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  'bwip-js',
  'chokidar',
  'express',
  'file-type',
  'fontkit',
  'helmet',
  'htmlparser2',
  'papaparse',
  'pdfkit',
  'pino',
  'rotating-file-stream',
  'undici',
  'ws',
  'zod',
];

const homeModule = at('src/renderer/src/app/Home.tsx');

/** The ceremony page is one script, which its server writes into the page. It shares no code with the window. */
const isOfCeremonyPage = (id: string): boolean =>
  id.startsWith(at('src/renderer/src/presence/')) || /simplewebauthn|src\/ipc\/ceremonyPage/.test(id);

/**
 * The first screen needs two scripts. Each contains all its code, because the window waits for every further file. Code
 * that later screens share with the two scripts is part of them.
 */
const firstScripts: Rolldown.CodeSplittingGroup[] = [
  { name: 'start', tags: ['$initial'], test: (id) => !isOfCeremonyPage(id) },
  { name: 'home', test: (id) => id === homeModule },
];

/**
 * The frame around all screens is fetched with the window, because a connected person needs it as soon as the state is
 * known. Its links are marked, so that a host can remove them for a first run.
 */
const fetchHomeEarly: Plugin = {
  name: 'fetch-home-early',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
      const home = chunks.find(({ moduleIds }) => moduleIds.includes(homeModule));
      if (home === undefined) throw new Error('The frame around the screens has no separate file.');
      const link = (file: string, rel: string) => ({
        tag: 'link',
        // `rel` comes first, because the host adds its nonce after it.
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
      // The text reader and the labels need files that are not code, and a build for Node omits them by default.
      emitAssets: true,
      externalizeDeps: { include: ['keytar'], exclude: [...bundled, ...sharpScripts] },
      rollupOptions: {
        input: {
          index: at('src/main/index.ts'),
          kitchen: at('src/kitchen/index.ts'),
          kitchenThread: at('src/kitchen/worker.ts'),
          reader: at('src/practice/writer/readerProcess.ts'),
          readerThread: at('src/practice/writer/worker.ts'),
          dataThread: at('src/host/dataThread/dataThread.ts'),
          labelThread: at('src/host/labels/labelThread.ts'),
          // Both also run on plain Node, for the npm package.
          headless: at('src/headless/index.ts'),
          cli: at('src/cli/index.ts'),
        },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // A fifth of the megabytes that a start reads are comments and indentation. Names stay, because stack traces show
          // them.
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
        input: { index: at('src/renderer/index.html'), presence: at('src/renderer/src/presence/main.ts') },
        output: {
          entryFileNames: ({ name }) => (name === 'presence' ? 'presence.js' : 'assets/[name]-[hash].js'),
          codeSplitting: { groups: firstScripts },
        },
      },
    },
  },
});
