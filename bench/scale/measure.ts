import { openSync, readSync } from 'node:fs';

/**
 * `blockMs` is the longest time for which the work blocked the event loop, without the time for which this thread waited
 * for a processor, because other programs use the machine, too. `memoryMb` is how much the process grew.
 */
export type Measured = { ms: number; blockMs: number; memoryMb: number };

const tickMs = 1;
const megabyte = 1024 * 1024;

/** Creates the reader of how long this thread has waited for a processor, in ms. Only Linux tells. */
const createWaitReader = (): (() => number) => {
  if (process.platform !== 'linux') return () => 0;
  const file = openSync('/proc/thread-self/schedstat', 'r');
  const memory = Buffer.alloc(64);
  return () => Number(memory.toString('latin1', 0, readSync(file, memory, 0, memory.length, 0)).split(' ')[1]) / 1e6;
};

const readWaitMs = createWaitReader();

/** Watches the event loop of this process until `stop` is called. */
const watchLoop = () => {
  const firstRss = process.memoryUsage.rss();
  let [last, waited, blockMs, peakRss] = [performance.now(), readWaitMs(), 0, firstRss];
  const note = (): void => {
    const [now, waitMs] = [performance.now(), readWaitMs()];
    blockMs = Math.max(blockMs, now - last - tickMs - (waitMs - waited));
    [last, waited] = [now, waitMs];
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
  };
  const ticking = setInterval(note, tickMs);
  return {
    stop: (): Omit<Measured, 'ms'> => {
      clearInterval(ticking);
      note();
      return { blockMs, memoryMb: (peakRss - firstRss) / megabyte };
    },
  };
};

/** Measures work that runs on the event loop of this process, which must run with `--expose-gc`. */
export const measureWork = async (work: () => Promise<unknown>): Promise<Measured> => {
  globalThis.gc?.();
  const loop = watchLoop();
  const from = performance.now();
  await work().catch((error: unknown) => {
    loop.stop();
    throw error;
  });
  const ms = performance.now() - from;
  return { ms, ...loop.stop() };
};
