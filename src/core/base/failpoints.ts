import { channel } from 'node:diagnostics_channel';

const passed = channel('listing-companion.failpoints');

/** Returns whether a test is subscribed; names are computed only then. */
export const isWatched = (): boolean => passed.hasSubscribers;

/**
 * Publishes a named point just before or after a write to disk, to the keychain or to the service. The app has no
 * subscriber; tests end the process at each point and check that nothing is lost or repeated.
 */
export const failpoint = (name: string): void => {
  if (passed.hasSubscribers) passed.publish(name);
};

/** Publishes the points before and after an atomic step that has only microtasks in between. */
export const failpointsAround = (name: string): void => {
  if (!passed.hasSubscribers) return;
  failpoint(`before: ${name}`);
  queueMicrotask(() => failpoint(`after: ${name}`));
};
