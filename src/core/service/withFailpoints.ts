import { moment } from '../base/failpoints.ts';
import type { ServiceClient } from './serviceClient.ts';

/** The client, which tells the moments before a request leaves and after its answer is here. */
export const withMoments = (client: ServiceClient): ServiceClient => ({
  send: async (name, input, options) => {
    moment(`before: ${name} is sent`);
    try {
      return await client.send(name, input, options);
    } finally {
      moment(`after: ${name} was answered`);
    }
  },
});
