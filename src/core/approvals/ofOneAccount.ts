import { problemText } from '../base/problem.ts';
import type { ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';

/**
 * The client, whose answers and refusals are those of the account that was connected when they were asked for. Throws
 * ACCOUNT_CHANGED for what came when another one was.
 */
export const ofOneAccount = (client: ServiceClient, account: () => string | null): ServiceClient => ({
  send: async (route, input, options) => {
    const owner = account();
    const checkOwner = (): void => {
      if (account() !== owner) throw accountChanged();
    };
    const answered = await client.send(route, input, options).catch((error: unknown) => {
      checkOwner();
      throw error;
    });
    checkOwner();
    return answered;
  },
});

const accountChanged = () => new ServiceError({ ...problemText('ACCOUNT_CHANGED'), effect: 'refused', status: 0 });
