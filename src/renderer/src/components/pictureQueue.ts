/** Loads a picture. The promise must settle, also after the signal is aborted. */
type LoadPicture = (signal: AbortSignal) => Promise<unknown>;

/**
 * Returns a function that loads a picture in one of the next frames, while at most `maxLoading` pictures load, because
 * the requests of a screenful of pictures would block the window. The function that it returns cancels the load.
 */
export const createPictureQueue = (maxLoading: number): ((load: LoadPicture) => () => void) => {
  const waiting = new Set<() => Promise<unknown>>();
  let loading = 0;
  let isFrameDue = false;
  const requestStart = (): void => {
    if (isFrameDue || waiting.size === 0 || loading >= maxLoading) return;
    isFrameDue = true;
    requestAnimationFrame(() => {
      isFrameDue = false;
      for (const start of [...waiting].slice(0, maxLoading - loading)) {
        waiting.delete(start);
        loading += 1;
        void start().finally(() => {
          loading -= 1;
          requestStart();
        });
      }
    });
  };
  return (load) => {
    const cancelled = new AbortController();
    const start = (): Promise<unknown> => load(cancelled.signal).catch(() => undefined);
    waiting.add(start);
    requestStart();
    return () => {
      waiting.delete(start);
      cancelled.abort();
    };
  };
};
