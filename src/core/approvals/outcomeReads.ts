import type { ServiceClient } from '../service/serviceClient.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import { canReadsSettle } from './reconcile.ts';

type ConnectionState = Pick<ApprovalsContext, 'account' | 'keyPrint'>;

/** Whether that account is connected now, with a key. */
export const isAccountConnectedWithKey = ({ account, keyPrint }: ConnectionState, expectedAccount: string): boolean =>
  keyPrint() !== '' && account() === expectedAccount;

/** Reads that find out the outcome of one request. */
export type OutcomeReads = {
  /** Reads only with the key that was in use when the reads started. */
  client: ServiceClient;
  /** Whether the same account has been connected with the same key since the first read. If not, no read counts. */
  areValid: () => boolean;
};

/**
 * Creates reads as the account of the request; null while that account is not connected. Reads by another account prove
 * nothing.
 */
export const createOutcomeReads = (
  context: ConnectionState & { client: ServiceClient },
  row: ApprovalRow,
): OutcomeReads | null => {
  const keyPrint = context.keyPrint();
  if (!isAccountConnectedWithKey(context, row.account) || !canReadsSettle(row, keyPrint)) return null;
  return {
    // The schedule repeats a failed read; there is no immediate retry.
    client: {
      send: (route, input, options) => context.client.send(route, input, { ...options, keyPrint, once: true }),
    },
    // Each stored key is new, so an account that disconnected and reconnected has another key.
    areValid: () => isAccountConnectedWithKey(context, row.account) && context.keyPrint() === keyPrint,
  };
};
