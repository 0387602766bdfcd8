import { photoProcessOutput, photoProcessInput } from '../../../src/photoContract/messages.ts';
import { sharedProcess } from './sharedProcess.ts';
import { startKitchen } from './startKitchen.ts';

/**
 * One kitchen for all stories of a test's process. What kitchens do when they start, fail and are ended has tests with
 * kitchens of their own, as have the stories of whole hosts.
 */
export const sharedKitchen = sharedProcess({
  start: startKitchen,
  fromProcess: (head) => photoProcessOutput.parse(head),
  toProcess: (head) => photoProcessInput.parse(head),
});
