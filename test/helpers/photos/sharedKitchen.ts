import { photoProcessOutput, photoProcessInput } from '../../../src/photoContract/messages.ts';
import { shareProcess } from './shareProcess.ts';
import { startKitchen } from './startKitchen.ts';

/**
 * One photo process for all stories of a test process. Tests of its start, failure and end use their own, and so do
 * tests of whole hosts.
 */
export const sharedKitchen = shareProcess({
  start: startKitchen,
  fromProcess: (head) => photoProcessOutput.parse(head),
  toProcess: (head) => photoProcessInput.parse(head),
});
