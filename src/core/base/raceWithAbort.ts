/** Returns the abort reason of a signal as an error. */
export const getAbortReason = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('It was aborted.', { cause: reason });

/** Returns the result of `work`. If the signal is aborted first, rejects with its reason, but `work` continues. */
export const raceWithAbort = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const rejectWithReason = (): void => reject(getAbortReason(signal));
    if (signal.aborted) rejectWithReason();
    signal.addEventListener('abort', rejectWithReason, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', rejectWithReason));
  });
};
