import { photoProcess } from '../isolated/photoProcess.ts';
import type { StartProcess } from '../isolated/processClient.ts';
import { photoReading } from '../practice/writer/startReader.ts';
import { codeRoot, isBuilt } from './codeFiles.ts';

export const kitchen = photoProcess({
  name: 'Photos',
  source: {
    entry: 'kitchen/index.ts',
    thread: 'kitchen/worker.ts',
    folders: ['kitchen', 'isolated', 'photoContract'],
  },
  built: { entry: 'kitchen.js', thread: 'kitchenThread.js' },
  // The limit for the pictures in one answer; real answers are far smaller.
  mostBytes: 256 * 2 ** 20,
});

const plainStarter = ({ starter, built, source }: typeof kitchen): StartProcess =>
  starter(isBuilt ? built(codeRoot) : source(codeRoot), { kind: 'node', path: process.execPath });

/** Returns what starts the kitchen with this Node, from the sources or the bundles. */
export const plainKitchenStarter = (): StartProcess => plainStarter(kitchen);

/**
 * Starts the kitchen immediately, for a caller that is sure to need it. The first caller receives the started process.
 */
export const plainKitchenAhead = (start = plainKitchenStarter()): StartProcess => {
  // The process sends nothing before its first request.
  let hear: Parameters<StartProcess>[0] = () => undefined;
  let ahead: ReturnType<StartProcess> | null = start((message) => hear(message));
  // The caller that requests the process receives the error.
  ahead.catch(() => undefined);
  return (onMessage) => {
    if (ahead === null) return start(onMessage);
    hear = onMessage;
    const first = ahead;
    ahead = null;
    return first;
  };
};

/** Returns what starts the process in which the practice service reads photos. */
export const plainReaderStarter = (): StartProcess => plainStarter(photoReading);
