import type { Clock } from '../base/ports.ts';
import type { WindowSessions } from './windowSessions.ts';

/** A window that opens again within this time finds everything read. */
const releaseAfterMs = 60_000;

/** Calls `release` when no window has been open for a minute. */
export const releaseMemoryWithoutWindows = (
  { isWindowOpen, onLastClosed }: Pick<WindowSessions, 'isWindowOpen' | 'onLastClosed'>,
  clock: Clock,
  release: () => void,
): void => {
  let waiting = new AbortController();
  onLastClosed(() => {
    waiting.abort();
    waiting = new AbortController();
    clock.sleep(releaseAfterMs, waiting.signal).then(
      () => isWindowOpen() || release(),
      () => undefined,
    );
  });
};
