import { problemText } from '../base/problem.ts';
import type { ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';

/**
 * Wraps a client so that its answers and errors belong to the account that was connected when the request was sent.
 * Throws ACCOUNT_CHANGED if another account is connected when the answer arrives.
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
