import type { ServiceClient } from '../service/serviceClient.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import { maySettle } from './reconcile.ts';

type Connected = Pick<ApprovalsContext, 'account' | 'keyPrint'>;

/** Whether that account is connected now, with a key. */
export const isConnectedAs = ({ account, keyPrint }: Connected, whose: string): boolean =>
  keyPrint() !== '' && account() === whose;

/** Reads that find out the outcome of one request. */
export type OwnReadings = {
  /** Reads only with the key that was in use when the reads started. */
  client: ServiceClient;
  /** Whether the same account has been connected with the same key since the first read. If not, no read counts. */
  count: () => boolean;
};

/**
 * Creates reads as the account of the request; null while that account is not connected. Reads by another account prove
 * nothing.
 */
export const ownReadings = (context: Connected & { client: ServiceClient }, row: ApprovalRow): OwnReadings | null => {
  const keyPrint = context.keyPrint();
  if (!isConnectedAs(context, row.account) || !maySettle(row, keyPrint)) return null;
  return {
    // The schedule repeats a failed read; there is no immediate retry.
    client: {
      send: (route, input, options) => context.client.send(route, input, { ...options, keyPrint, once: true }),
    },
    // Each stored key is new, so an account that disconnected and reconnected has another key.
    count: () => isConnectedAs(context, row.account) && context.keyPrint() === keyPrint,
  };
};
