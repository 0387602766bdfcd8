import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const packageFile =
  /import\.meta\.resolve\(\s*['"]((?:tesseract\.js-core|@tesseract\.js-data|@expo-google-fonts)\/[^'"]+)['"],?\s*\)/g;

/** The modules that need files, and the folder of the files as seen from their code in the build. */
const modules = [
  // This module is loaded on demand and becomes a chunk, so the files are beside it.
  { end: '/reading/readPhoto.ts', folder: './' },
  { end: '/labels/labelThread.ts', folder: './chunks/' },
];

/**
 * A Vite plugin that copies the files of the text reader and the fonts of labels into the build. They are six of the
 * eighty megabytes in their packages, and npm would install all of them.
 */
export const shipReaderFiles: Plugin = {
  name: 'ship-reader-files',
  transform(code, id) {
    const module = modules.find(({ end }) => id.endsWith(end));
    if (module === undefined) return null;
    const shipFile = (_: string, file: string): string => {
      const name = basename(file);
      const source = readFileSync(fileURLToPath(import.meta.resolve(file)));
      this.emitFile({ type: 'asset', fileName: `chunks/${name}`, source });
      return `new URL('${module.folder}${name}', import.meta.url).href`;
    };
    return { code: code.replace(packageFile, shipFile), map: null };
  },
};
