import { inputOf } from '../../contract/index.ts';
import type { ServiceClient } from './serviceClient.ts';

/**
 * The client, which tells of every request for upload slots before it leaves, whoever makes it: whatever becomes of the
 * answer, a slot of that listing may be open from then on.
 */
export const noteSlots = (client: ServiceClient, slotOpened: (listingId: string) => void): ServiceClient => ({
  send: async (name, input, options) => {
    if (name === 'requestUploads') slotOpened(inputOf('requestUploads', input).body.listingId);
    return client.send(name, input, options);
  },
});
