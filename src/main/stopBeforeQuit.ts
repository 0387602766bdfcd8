import { app } from 'electron';

/** Holds the end of the app until the companion has stopped, so that nothing is cut off half-way. */
export const stopBeforeQuit = (stop: () => Promise<void>): void => {
  let stopped = false;
  app.on('will-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void stop()
      .catch(() => undefined)
      .finally(() => {
        stopped = true;
        app.quit();
      });
  });
};
