import type { Net, PowerMonitor } from 'electron';
import type { Running } from '../../host/runCompanion.ts';

/** The time of the wall and the time that only runs forward, in ms. */
export type Clocks = { wall: () => number; steady: () => number };

const minJumpMs = 30_000;

/**
 * Answers whether the clock was set, or the machine has slept, since the last look: then the two times have not gone on
 * alike.
 */
export const createClockJumpDetector = ({ wall, steady }: Clocks): (() => boolean) => {
  let last = { wall: wall(), steady: steady() };
  return () => {
    const now = { wall: wall(), steady: steady() };
    const jump = Math.abs(now.wall - last.wall - (now.steady - last.steady));
    last = now;
    return jump > minJumpMs;
  };
};

const checkEveryMs = 10_000;

/** Passes on what happens to the machine: sleep and wake, the network coming back, the clock being set. */
export const watchMachine = (
  { sleep, wake }: Pick<Running, 'sleep' | 'wake'>,
  { net, powerMonitor }: { net: Pick<Net, 'isOnline'>; powerMonitor: Pick<PowerMonitor, 'on'> },
): void => {
  powerMonitor.on('suspend', sleep);
  powerMonitor.on('resume', wake);
  const isClockSet = createClockJumpDetector({ wall: Date.now, steady: () => performance.now() });
  let wasOnline = net.isOnline();
  const check = (): void => {
    const isOnline = net.isOnline();
    const isBack = isOnline && !wasOnline;
    wasOnline = isOnline;
    if (isClockSet() || isBack) wake();
  };
  setInterval(check, checkEveryMs).unref();
};
