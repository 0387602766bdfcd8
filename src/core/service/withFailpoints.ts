import { failpoint } from '../base/failpoints.ts';
import type { ServiceClient } from './serviceClient.ts';

/** The client, which tells the moments before a request leaves and after its answer is here. */
export const withFailpoints = (client: ServiceClient): ServiceClient => ({
  send: async (name, input, options) => {
    failpoint(`before: ${name} is sent`);
    try {
      return await client.send(name, input, options);
    } finally {
      failpoint(`after: ${name} was answered`);
    }
  },
});
