import type { CeremonyPageData } from '../../../ipc/ceremonyPage.ts';
import { createElement } from './drawPage.ts';

const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

export type PinWait = {
  /** The field of the PIN is described by this element, so that a screen reader reads the time with the field. */
  timer: HTMLElement;
  isWaiting: () => boolean;
  start: (seconds: number) => void;
  stop: () => void;
};

/** Counts down until the next PIN can be entered. A timer is no live region, so it is not read out every second. */
export const createPinWait = (words: CeremonyPageData['words'], onOver: () => void): PinWait => {
  const timer = createElement('p', { className: 'status timer', id: 'pin-wait', role: 'timer' });
  let ticking: ReturnType<typeof setInterval> | null = null;
  const stop = (): void => {
    if (ticking !== null) clearInterval(ticking);
    ticking = null;
    timer.textContent = '';
  };
  return {
    timer,
    isWaiting: () => ticking !== null,
    start: (seconds) => {
      stop();
      const untilMs = performance.now() + seconds * 1_000;
      const tick = (): void => {
        const left = Math.ceil((untilMs - performance.now()) / 1_000);
        if (left > 0) timer.textContent = words.pinWaitsFor.replace('{{time}}', formatCountdown(left));
        else {
          stop();
          onOver();
        }
      };
      ticking = setInterval(tick, 1_000);
      tick();
    },
    stop,
  };
};
