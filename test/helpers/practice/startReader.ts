import { join } from 'node:path';
import { photoReading } from '../../../src/practice/writer/startReader.ts';

const built = process.env['COMPANION_BUILT'];

/** The code of the process that reads photos for the writer, as built by `npm test` if it was. */
export const readerCode =
  built === undefined ? photoReading.source(join(import.meta.dirname, '..', '..', '..')) : photoReading.built(built);

export const startReader = photoReading.starter(readerCode, { kind: 'node', path: process.execPath });
