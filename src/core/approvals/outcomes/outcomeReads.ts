import type { ServiceClient } from '../../service/serviceClient.ts';
import type { ApprovalRow } from '../../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from '../approvalsContext.ts';
import { canReadsShowOutcome } from './reconcile.ts';

type ConnectionState = Pick<ApprovalsContext, 'account' | 'keyPrint'>;

/** Returns whether this account is connected and has a key. */
export const isAccountConnectedWithKey = ({ account, keyPrint }: ConnectionState, expectedAccount: string): boolean =>
  keyPrint() !== '' && account() === expectedAccount;

export type OutcomeReads = {
  /** Sends every read with the key that was current when the reads were created. */
  client: ServiceClient;
  /** Returns false if the account or its key changed, because the reads prove nothing then. */
  areValid: () => boolean;
};

/** Returns null if reads would prove nothing, for example because another account is connected. */
export const createOutcomeReads = (
  context: ConnectionState & { client: ServiceClient },
  row: ApprovalRow,
): OutcomeReads | null => {
  const keyPrint = context.keyPrint();
  if (!isAccountConnectedWithKey(context, row.account) || !canReadsShowOutcome(row, keyPrint)) return null;
  return {
    // A failed read is not retried at once, because the schedule repeats it.
    client: {
      send: (route, input, options) => context.client.send(route, input, { ...options, keyPrint, once: true }),
    },
    // A reconnected account has a new key, so this also detects that the account was disconnected between the reads.
    areValid: () => isAccountConnectedWithKey(context, row.account) && context.keyPrint() === keyPrint,
  };
};
