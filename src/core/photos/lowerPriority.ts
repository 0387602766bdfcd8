import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Gives the calling thread less of the processor, so that screens and the loopback interface stay quick.
 * Node sets the priority of processes only. On Linux a thread has a number of its own that the same call accepts, and
 * threads it starts (the WebAssembly build's) inherit it; on macOS and Windows that is not possible, and the line's
 * bound on parallel work has to do. Native sharp decodes in libuv's threads, which stay as they are.
 */
export const lowerPriority = (): void => {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1]);
    if (thread > 0 && thread !== process.pid) setPriority(thread, 10);
  } catch {
    // Not allowed here (a sandbox): photos are then prepared at normal priority.
  }
};
