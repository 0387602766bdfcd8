import type { Topic } from '../core/base/ports.ts';
import type { Running } from './runCompanion.ts';

/** What runs by itself, for a tray and a taskbar. `done` goes from 0 to 1 over everything since nothing ran. */
export type WorkShown = { running: number; done: number; paused: boolean };

const reasons: readonly Topic[] = ['items', 'app'];
/** Photos are counted many times a second; a taskbar needs less. */
const restMs = 500;

type Watched = Pick<Running, 'handlers' | 'onChanged' | 'work'>;

/** Tells what is on its way: at once, and when that has changed. Answers how to stop. */
export const watchWork = ({ handlers, onChanged, work }: Watched, tell: (work: WorkShown) => void): (() => void) => {
  let told = '';
  let finished = 0;
  let before = 0;
  let timer: NodeJS.Timeout | null = null;

  const look = async (): Promise<void> => {
    const { running, done } = work();
    const { paused } = await handlers['app.state']({});
    finished = running === 0 ? 0 : finished + Math.max(0, before - running);
    before = running;
    const share = running === 0 ? 0 : (done * running + finished) / (running + finished);
    const now = { running, done: Math.round(share * 100) / 100, paused };
    if (JSON.stringify(now) === told) return;
    told = JSON.stringify(now);
    tell(now);
  };
  const lookSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      void look().catch(() => undefined);
    }, restMs);
  };
  void look().catch(() => undefined);
  const stopListening = onChanged((topic) => void (reasons.includes(topic) && lookSoon()));
  return () => {
    stopListening();
    if (timer) clearTimeout(timer);
  };
};
