import { Serializer } from 'node:v8';

/** Throws as Electron does for what it copies to no other process: memory that threads share, functions. Node copies the former. */
export const refuseShared = (message) => {
  const serializer = new Serializer();
  serializer.writeHeader();
  try {
    serializer.writeValue(message);
  } catch {
    throw new Error('An object could not be cloned.');
  }
};
