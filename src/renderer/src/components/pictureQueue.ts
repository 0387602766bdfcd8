/**
 * Starts to load a picture, and later calls `end`, when it is loaded or has failed. The function that it returns cancels the
 * load.
 */
type LoadPicture = (end: () => void) => () => void;

/**
 * Returns a function that loads a picture in one of the next frames, while at most `maxLoading` pictures load, because
 * the requests of a screenful of pictures would block the window. The function that it returns cancels the load.
 */
export const createPictureQueue = (maxLoading: number): ((load: LoadPicture) => () => void) => {
  const waiting = new Set<LoadPicture>();
  const loading = new Map<LoadPicture, () => void>();
  let isFrameDue = false;
  const end = (load: LoadPicture): void => {
    if (loading.delete(load)) requestStart();
  };
  const startSome = (): void => {
    isFrameDue = false;
    for (const load of [...waiting].slice(0, maxLoading - loading.size)) {
      waiting.delete(load);
      loading.set(
        load,
        load(() => end(load)),
      );
    }
  };
  const requestStart = (): void => {
    if (isFrameDue || waiting.size === 0 || loading.size >= maxLoading) return;
    isFrameDue = true;
    requestAnimationFrame(startSome);
  };
  return (load) => {
    waiting.add(load);
    requestStart();
    return () => {
      waiting.delete(load);
      loading.get(load)?.();
      end(load);
    };
  };
};
