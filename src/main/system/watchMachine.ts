import type { Net, PowerMonitor } from 'electron';
import type { RunningCompanion } from '../../host/runCompanion.ts';

export type Clocks = { wall: () => number; steady: () => number };

const minJumpMs = 30_000;

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

export const watchMachine = (
  { sleep, wake }: Pick<RunningCompanion, 'sleep' | 'wake'>,
  { net, powerMonitor }: { net: Pick<Net, 'isOnline'>; powerMonitor: Pick<PowerMonitor, 'on'> },
): void => {
  powerMonitor.on('suspend', sleep);
  powerMonitor.on('resume', wake);
  const isClockSet = createClockJumpDetector({ wall: Date.now, steady: () => performance.now() });
  let wasOnline = net.isOnline();
  const checkForWake = (): void => {
    const isOnline = net.isOnline();
    const isBack = isOnline && !wasOnline;
    wasOnline = isOnline;
    if (isClockSet() || isBack) wake();
  };
  setInterval(checkForWake, checkEveryMs).unref();
};
