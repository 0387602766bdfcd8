import { createProblemText } from '../../base/problem.ts';
import type { ServiceClient } from '../../service/serviceClient.ts';
import { ServiceError } from '../../service/serviceError.ts';

/** Wraps a client so that it throws ACCOUNT_CHANGED if another account is connected when the answer arrives. */
export const createAccountBoundClient = (client: ServiceClient, account: () => string | null): ServiceClient => ({
  send: async (route, input, options) => {
    const owner = account();
    const refuseOtherAccount = (): void => {
      if (account() !== owner) throw createAccountChangedError();
    };
    const answered = await client.send(route, input, options).catch((error: unknown) => {
      refuseOtherAccount();
      throw error;
    });
    refuseOtherAccount();
    return answered;
  },
});

const createAccountChangedError = () =>
  new ServiceError({ ...createProblemText('ACCOUNT_CHANGED'), effect: 'refused', status: 0 });
