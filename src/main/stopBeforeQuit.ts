import { app, dialog, powerMonitor, session } from 'electron';
import { setTimeout as wait } from 'node:timers/promises';
import { maxCompositeStopMs, stopParts, type StoppablePart } from '../core/base/stopParts.ts';
import type { HostLog } from '../host/createLog.ts';
import { killThisProcess, endSignals, hasPendingSystemCalls } from '../host/processLifetime.ts';
import type { RunningCompanion } from '../host/runCompanion.ts';
import type { FormatMessage } from '../host/hostTranslator.ts';
import { systemClock } from '../core/base/clock.ts';
import { cancelRestart } from './system/restartApp.ts';

type QuitContext = {
  running: Pick<RunningCompanion, 'handlers' | 'work' | 'stop'>;
  ceremonies: { stop: () => Promise<void> };
  log: Pick<HostLog, 'log' | 'close'>;
  format: FormatMessage;
};

/** Limits how long the app waits for the service to answer an approved request. */
const sendingPoll = { everyMs: 250, tries: 40 };

const waitUntilSent = async ({ handlers }: QuitContext['running']): Promise<void> => {
  const listApprovals = async () => handlers['approvals.list']({});
  for (let left = sendingPoll.tries; left > 0; left -= 1) {
    const list = await listApprovals().catch(() => []);
    const isUnderWay = list.some(
      ({ state, heldUntil }) => state === 'sending' || (state === 'approved' && heldUntil === null),
    );
    if (!isUnderWay) return;
    await wait(sendingPoll.everyMs);
  }
};

/** `flushStorageData` returns at once, so Chromium writes the storage of the windows while the parts stop. */
const stopAllParts = async ({ running, ceremonies, log }: QuitContext): Promise<boolean> => {
  session.defaultSession.flushStorageData();
  const parts: StoppablePart[] = [
    {
      name: 'what is being sent',
      stop: () => waitUntilSent(running),
      maxStopMs: 2 * sendingPoll.everyMs * sendingPoll.tries,
    },
    { name: 'ceremony page', stop: ceremonies.stop },
    { name: 'everything behind the windows', stop: running.stop, maxStopMs: maxCompositeStopMs.host },
    { name: 'log', stop: log.close },
  ];
  const left = await stopParts(parts, { clock: systemClock, log: log.log });
  return left.length === 0 && !(await hasPendingSystemCalls(systemClock));
};

const askToQuit = async (count: number, format: FormatMessage): Promise<boolean> => {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: format('shell.quitTitle'),
    message: format('shell.quitMessage', { count }),
    detail: format('shell.quitDetail'),
    buttons: [format('shell.quitNow'), format('shell.keepRunning')],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
};

/** The person must confirm if items are in progress, except at system shutdown or after a signal. */
export const stopBeforeQuit = (parts: QuitContext): void => {
  const { running, format } = parts;
  let stage: 'running' | 'asking' | 'agreed' | 'stopping' | 'stopped' = 'running';
  const agreeToQuit = (): void => {
    if (stage === 'running' || stage === 'asking') stage = 'agreed';
  };

  app.on('before-quit', (event) => {
    if (stage !== 'running' && stage !== 'asking') return;
    const { running: count } = running.work();
    if (count === 0) return agreeToQuit();
    event.preventDefault();
    if (stage === 'asking') return;
    stage = 'asking';
    void askToQuit(count, format).then((yes) => {
      if (stage !== 'asking') return;
      stage = yes ? 'agreed' : 'running';
      if (yes) app.quit();
      else cancelRestart();
    });
  });
  app.on('will-quit', (event) => {
    if (stage === 'stopped') return;
    event.preventDefault();
    if (stage === 'stopping') return;
    stage = 'stopping';
    void stopAllParts(parts).then((isWhole) => {
      stage = 'stopped';
      if (!isWhole) app.once('quit', killThisProcess);
      app.quit();
    });
  });
  powerMonitor.on('shutdown', agreeToQuit);
  for (const signal of endSignals)
    process.on(signal, () => {
      agreeToQuit();
      app.quit();
    });
};
