import { useDeferredValue, type ReactNode } from 'react';

/** Until the parts are rendered, their space keeps what follows them below the window. */
const reservedSpace = { minBlockSize: '100vh' };

/**
 * Renders parts of a screen that are below its first part. React renders them after the first paint and pauses for keys
 * and frames, so that a large pane opens without a long frame.
 */
export const RenderedLater = ({ children }: { children: ReactNode }) =>
  useDeferredValue(true, false) ? children : <div style={reservedSpace} aria-hidden />;
