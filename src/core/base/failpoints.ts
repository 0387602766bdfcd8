import { channel } from 'node:diagnostics_channel';

const failpointChannel = channel('listing-companion.failpoints');

/** Returns whether a test is subscribed. Callers compute a failpoint name only in that case. */
export const hasFailpointListeners = (): boolean => failpointChannel.hasSubscribers;

/**
 * Announces a failpoint: a named moment just before or after a durable write or a request. Tests end the process at
 * each failpoint and check that no data is lost.
 */
export const publishFailpoint = (name: string): void => {
  if (failpointChannel.hasSubscribers) failpointChannel.publish(name);
};

/** Announces one failpoint now, and one after the synchronous step that the caller runs next. */
export const publishFailpointsAround = (name: string): void => {
  if (!failpointChannel.hasSubscribers) return;
  publishFailpoint(`before: ${name}`);
  queueMicrotask(() => publishFailpoint(`after: ${name}`));
};
