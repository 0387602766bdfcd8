import { photoProcess } from '../isolated/photoProcess.ts';
import type { StartProcess } from '../isolated/processClient.ts';
import { photoReading } from '../practice/writer/startReader.ts';
import { codeRoot, isBuilt } from './codeFiles.ts';

/** The process that decodes photos. */
export const kitchen = photoProcess({
  name: 'Photos',
  source: {
    entry: 'kitchen/index.ts',
    thread: 'kitchen/worker.ts',
    folders: ['kitchen', 'isolated', 'photoContract'],
  },
  built: { entry: 'kitchen.js', thread: 'kitchenThread.js' },
  // Pictures that come with one answer; nothing that is made of a photo comes near it.
  mostBytes: 256 * 2 ** 20,
});

const plainStarter = ({ starter, built, source }: typeof kitchen): StartProcess =>
  starter(isBuilt ? built(codeRoot) : source(codeRoot), { kind: 'node', path: process.execPath });

/** What starts it where a plain Node runs the companion: it runs the process as well, from the sources or as it was built. */
export const plainKitchenStarter = (): StartProcess => plainStarter(kitchen);

/** What starts the process in which the practice service reads photos, in the same way. */
export const plainReaderStarter = (): StartProcess => plainStarter(photoReading);
