import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

const low = 10;

/** Threads of this process that decode photos besides the calling one: libuv's, by the name it gives them. */
const decodingThreads = (): number[] =>
  readdirSync('/proc/self/task')
    .filter((thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').startsWith('libuv-worker'))
    .map(Number);

/**
 * Gives the calling thread, and those that decode for it, less of the processor, so that screens and the loopback
 * interface stay quick. Node sets the priority of processes only. On Linux a thread has a number of its own that the same
 * call accepts, and threads it starts (the WebAssembly build's) inherit it; on macOS and Windows that is not possible, and
 * the line's bound on parallel work has to do.
 */
export const lowerPriority = (): void => {
  if (process.platform !== 'linux') return;
  try {
    const own = Number(/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1]);
    for (const thread of [own, ...decodingThreads()]) {
      if (thread > 0 && thread !== process.pid) setPriority(thread, low);
    }
  } catch {
    // Not allowed here (a sandbox), or a thread has just ended: photos are then prepared at normal priority.
  }
};
