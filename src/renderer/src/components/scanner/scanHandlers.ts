import { useEffect, useEffectEvent } from 'react';

/** Handles a scanned code. Returns false to leave it to the next handler. */
export type ScanHandler = (code: string) => boolean;

/** The handlers of the shown screens and dialogs, the last first. */
let handlers: readonly ScanHandler[] = [];

/** Handles scans while the component is shown. */
export const useScanHandler = (handle: ScanHandler): void => {
  const onScan = useEffectEvent(handle);
  useEffect(() => {
    const own: ScanHandler = (code) => onScan(code);
    handlers = [own, ...handlers];
    return () => {
      handlers = handlers.filter((other) => other !== own);
    };
  }, []);
};

/** Returns whether a shown screen or dialog has handled the code. */
export const offerScan = (code: string): boolean => handlers.some((handle) => handle(code));
