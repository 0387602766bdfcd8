import { join } from 'node:path';
import { builtReader, readerStarter, sourceReader } from '../../../src/practice/writer/startReader.ts';

const built = process.env['COMPANION_KITCHEN'];

/** The code of the process that reads photos for the writer: as `npm test` built it, where that is. */
export const readerCode =
  built === undefined ? sourceReader(join(import.meta.dirname, '..', '..', '..')) : builtReader(built);

export const startReader = readerStarter(readerCode, { kind: 'node', path: process.execPath });
