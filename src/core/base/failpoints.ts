import { channel } from 'node:diagnostics_channel';

const failpointChannel = channel('listing-companion.failpoints');

/** Returns whether a test is subscribed, so that callers compute failpoint names only then. */
export const hasFailpointListeners = (): boolean => failpointChannel.hasSubscribers;

/**
 * Publishes a named point just before or after a write to disk, to the keychain or to the service. Tests end the
 * process at each point and check that no data is lost and no request is repeated.
 */
export const publishFailpoint = (name: string): void => {
  if (failpointChannel.hasSubscribers) failpointChannel.publish(name);
};

/** Publishes one point before an atomic step and one after it. The step must not await anything but microtasks. */
export const publishFailpointsAround = (name: string): void => {
  if (!failpointChannel.hasSubscribers) return;
  publishFailpoint(`before: ${name}`);
  queueMicrotask(() => publishFailpoint(`after: ${name}`));
};
