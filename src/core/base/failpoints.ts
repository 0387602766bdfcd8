import { channel } from 'node:diagnostics_channel';

const failpointChannel = channel('listing-companion.failpoints');

/** Returns whether a test is subscribed; names are computed only then. */
export const hasFailpointListeners = (): boolean => failpointChannel.hasSubscribers;

/**
 * Publishes a named point just before or after a write to disk, to the keychain or to the service. The app has no
 * subscriber; tests end the process at each point and check that nothing is lost or repeated.
 */
export const publishFailpoint = (name: string): void => {
  if (failpointChannel.hasSubscribers) failpointChannel.publish(name);
};

/** Publishes the points before and after an atomic step that has only microtasks in between. */
export const publishFailpointsAround = (name: string): void => {
  if (!failpointChannel.hasSubscribers) return;
  publishFailpoint(`before: ${name}`);
  queueMicrotask(() => publishFailpoint(`after: ${name}`));
};
