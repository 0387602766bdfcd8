import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const packageFile = /import\.meta\.resolve\(['"]((?:tesseract\.js-core|@tesseract\.js-data)\/[^'"]+)['"]\)/g;

/**
 * A Vite plugin that copies the files of the text reader into the build. The reader uses six of the sixty megabytes in its
 * packages, and npm would install all of them.
 */
export const shipReaderFiles: Plugin = {
  name: 'ship-reader-files',
  transform(code, id) {
    if (!id.endsWith('/reading/readText.ts')) return null;
    const shipFile = (_: string, file: string): string => {
      const name = basename(file);
      const source = readFileSync(fileURLToPath(import.meta.resolve(file)));
      // The module is loaded on demand and becomes a chunk, so the files belong beside the chunk.
      this.emitFile({ type: 'asset', fileName: `chunks/${name}`, source });
      return `new URL('./${name}', import.meta.url).href`;
    };
    return { code: code.replace(packageFile, shipFile), map: null };
  },
};
