import { channel } from 'node:diagnostics_channel';

const passed = channel('listing-companion.failpoints');

/** Whether somebody listens: only then is it worth finding names. */
export const isWatched = (): boolean => passed.hasSubscribers;

/**
 * A named moment just before or just after something is on disk, in the keychain, or with the service. Nobody listens in
 * the app; tests end the process at each of them, to see that nothing is lost or done twice.
 */
export const failpoint = (name: string): void => {
  if (passed.hasSubscribers) passed.publish(name);
};

/** The moments before and after something that is done at once, with microtasks only in between. */
export const failpointsAround = (name: string): void => {
  if (!passed.hasSubscribers) return;
  failpoint(`before: ${name}`);
  queueMicrotask(() => failpoint(`after: ${name}`));
};
