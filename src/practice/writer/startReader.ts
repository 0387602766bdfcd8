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
  // Far more than a small photo needs.
  maxBytes: 16 * 2 ** 20,
});

/** Returns a function that starts the process from a checkout, with the Node of the caller. */
export const createSourceReaderStarter = (root: string): StartProcess =>
  photoReading.starter(photoReading.source(root), { kind: 'node', path: process.execPath });
