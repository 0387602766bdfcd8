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

/** The same for who is sure to need it: one is started at once, and the first who asks for one gets that. */
export const plainKitchenAhead = (start = plainKitchenStarter()): StartProcess => {
  // It says nothing before it is asked something.
  let hear: Parameters<StartProcess>[0] = () => undefined;
  let ahead: ReturnType<StartProcess> | null = start((message) => hear(message));
  // Whoever asks for it hears why it could not be started.
  ahead.catch(() => undefined);
  return (onMessage) => {
    if (ahead === null) return start(onMessage);
    hear = onMessage;
    const first = ahead;
    ahead = null;
    return first;
  };
};

/** What starts the process in which the practice service reads photos, in the same way. */
export const plainReaderStarter = (): StartProcess => plainStarter(photoReading);
