import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { resolve } from 'node:path';

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

export default defineConfig({
  main: {
    build: {
      outDir: at('out/main'),
      externalizeDeps: { include: ['keytar'], exclude: bundled },
      rollupOptions: {
        input: {
          index: at('src/main/index.ts'),
          photoWorker: at('src/core/photos/decode/worker.ts'),
          writerWorker: at('src/practice/writer/worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
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
    plugins: [react()],
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      minify: true,
      rollupOptions: { input: at('src/renderer/index.html') },
    },
  },
});
