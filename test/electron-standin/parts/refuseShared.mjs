import { Serializer } from 'node:v8';

/**
 * Throws Electron's error for values that it cannot copy to another process: shared memory and functions. Node would
 * copy shared memory.
 */
export const refuseShared = (message) => {
  const serializer = new Serializer();
  serializer.writeHeader();
  try {
    serializer.writeValue(message);
  } catch {
    throw new Error('An object could not be cloned.');
  }
};
