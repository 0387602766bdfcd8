/** `blockMs` is the longest time for which the work blocked the event loop; `memoryMb` is how much the process grew. */
export type Measured = { ms: number; blockMs: number; memoryMb: number };

const tickMs = 1;
const megabyte = 1024 * 1024;

/** Watches the event loop of this process until `stop` is called. */
const watchLoop = () => {
  const firstRss = process.memoryUsage.rss();
  let [last, blockMs, peakRss] = [performance.now(), 0, firstRss];
  const note = (): void => {
    const now = performance.now();
    blockMs = Math.max(blockMs, now - last - tickMs);
    last = now;
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
