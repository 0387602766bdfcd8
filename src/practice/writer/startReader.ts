import type { StartProcess } from '../../isolated/processClient.ts';
import { definePhotoProcess } from '../../isolated/photoProcess.ts';

/** The process that reads photos for the writer. */
export const photoReading = definePhotoProcess({
  name: 'Photos of the practice service',
  source: {
    entry: 'practice/writer/readerProcess.ts',
    thread: 'practice/writer/worker.ts',
    folders: ['practice/writer', 'isolated'],
  },
  built: { entry: 'reader.js', thread: 'readerThread.js' },
  // A photo made small that comes with one answer; none comes near it.
  maxBytes: 16 * 2 ** 20,
});

/** What starts it where a plain Node runs from a checkout, which then runs the process as well. */
export const sourceReaderStarter = (root: string): StartProcess =>
  photoReading.starter(photoReading.source(root), { kind: 'node', path: process.execPath });
