import type { Topic } from '../core/base/ports.ts';
import type { Running } from './runCompanion.ts';

/** What runs by itself, for a tray and a taskbar. `done` goes from 0 to 1 over everything since nothing ran. */
export type WorkShown = { running: number; done: number; paused: boolean };

const workTopics: readonly Topic[] = ['items', 'app'];
/** Photos are counted many times a second; a taskbar needs less. */
const throttleMs = 500;

type Source = Pick<Running, 'handlers' | 'onChanged' | 'work'>;

/** Tells what is on its way: at once, and when that has changed. Answers how to stop. */
export const watchWork = ({ handlers, onChanged, work }: Source, onWork: (work: WorkShown) => void): (() => void) => {
  let last = '';
  let finished = 0;
  let before = 0;
  let timer: NodeJS.Timeout | null = null;

  const read = async (): Promise<void> => {
    const { running, done } = work();
    const { paused } = await handlers['app.state']({});
    finished = running === 0 ? 0 : finished + Math.max(0, before - running);
    before = running;
    const share = running === 0 ? 0 : (done * running + finished) / (running + finished);
    const now = { running, done: Math.round(share * 100) / 100, paused };
    if (JSON.stringify(now) === last) return;
    last = JSON.stringify(now);
    onWork(now);
  };
  const readSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      void read().catch(() => undefined);
    }, throttleMs);
  };
  void read().catch(() => undefined);
  const unsubscribe = onChanged((topic) => void (workTopics.includes(topic) && readSoon()));
  return () => {
    unsubscribe();
    if (timer) clearTimeout(timer);
  };
};
