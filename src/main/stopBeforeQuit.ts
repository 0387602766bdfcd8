import { app, dialog, powerMonitor } from 'electron';
import { setTimeout as wait } from 'node:timers/promises';
import type { Running } from '../host/runCompanion.ts';
import type { Say } from '../host/words.ts';

type Parts = {
  running: Pick<Running, 'handlers' | 'work' | 'stop'>;
  /** After the companion has stopped. */
  closed: () => Promise<void>;
  say: Say;
};

/** What the person said yes to is on its way to the service: its answer is worth a short wait. */
const sendingWait = { everyMs: 250, tries: 40 };

const untilSent = async ({ handlers }: Parts['running']): Promise<void> => {
  for (let left = sendingWait.tries; left > 0; left -= 1) {
    const list = await handlers['approvals.list']({}).catch(() => []);
    if (!list.some(({ state }) => state === 'sending')) return;
    await wait(sendingWait.everyMs);
  }
};

const askToQuit = async (count: number, say: Say): Promise<boolean> => {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: say('shell.quitTitle'),
    message: say('shell.quitMessage', { count }),
    detail: say('shell.quitDetail'),
    buttons: [say('shell.quitNow'), say('shell.keepRunning')],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
};

/**
 * Holds the end of the app until the companion has stopped, so that nothing is cut off half-way. While items are on the
 * way the person is asked first; the system's own shutdown and signals are not.
 */
export const stopBeforeQuit = ({ running, closed, say }: Parts): void => {
  let stage: 'running' | 'asking' | 'agreed' | 'stopped' = 'running';
  const agree = (): void => {
    if (stage === 'running' || stage === 'asking') stage = 'agreed';
  };

  app.on('before-quit', (event) => {
    const { running: count } = running.work();
    if (stage === 'agreed' || stage === 'stopped') return;
    if (count === 0) return agree();
    event.preventDefault();
    if (stage === 'asking') return;
    stage = 'asking';
    void askToQuit(count, say).then((yes) => {
      if (stage !== 'asking') return;
      stage = yes ? 'agreed' : 'running';
      if (yes) app.quit();
    });
  });
  app.on('will-quit', (event) => {
    if (stage === 'stopped') return;
    event.preventDefault();
    void untilSent(running)
      .then(running.stop)
      .then(closed)
      .catch(() => undefined)
      .finally(() => {
        stage = 'stopped';
        app.quit();
      });
  });
  powerMonitor.on('shutdown', agree);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      agree();
      app.quit();
    });
};
