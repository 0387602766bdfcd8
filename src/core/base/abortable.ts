/** Returns the abort reason of a signal as an error. */
export const abortReason = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('It was aborted.', { cause: reason });

/**
 * Returns the result of `work`, or rejects with the signal's reason as soon as it is aborted. `work` itself
 * continues.
 */
export const abortable = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const leave = (): void => reject(abortReason(signal));
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
};
