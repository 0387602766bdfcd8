import type { Net, PowerMonitor } from 'electron';
import type { Running } from '../../host/runCompanion.ts';
import { clockWatch } from './clockWatch.ts';

const checkEveryMs = 10_000;

/** Passes on what happens to the machine: sleep and wake, the network coming back, the clock being set. */
export const watchMachine = (
  { sleep, wake }: Pick<Running, 'sleep' | 'wake'>,
  { net, powerMonitor }: { net: Pick<Net, 'isOnline'>; powerMonitor: Pick<PowerMonitor, 'on'> },
): void => {
  powerMonitor.on('suspend', sleep);
  powerMonitor.on('resume', wake);
  const isClockSet = clockWatch({ wall: Date.now, steady: () => performance.now() });
  let wasOnline = net.isOnline();
  const check = (): void => {
    const isOnline = net.isOnline();
    const isBack = isOnline && !wasOnline;
    wasOnline = isOnline;
    if (isClockSet() || isBack) wake();
  };
  setInterval(check, checkEveryMs).unref();
};
