import { fromReader, toReader } from '../../../src/practice/writer/reading/photoReading.ts';
import { shareProcess } from '../photos/shareProcess.ts';
import { startReader } from './startReader.ts';

/** One process that reads photos for all writers of a test process. */
export const sharedReader = shareProcess({
  start: startReader,
  fromProcess: (head) => fromReader.parse(head),
  toProcess: (head) => toReader.parse(head),
});
