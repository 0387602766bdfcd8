import type { ServiceClient } from '../service/serviceClient.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import { maySettle } from './reconcile.ts';

type Connected = Pick<ApprovalsContext, 'account' | 'keyPrint'>;

/** Whether that account is connected now, with a key. */
export const isConnectedAs = ({ account, keyPrint }: Connected, whose: string): boolean =>
  keyPrint() !== '' && account() === whose;

/** Readings of what became of one request. */
export type OwnReadings = {
  /** Reads with the key that was there when the readings began, and with no other. */
  client: ServiceClient;
  /** Whether the same account has been connected with the same key from the first reading on; else none of them counts. */
  count: () => boolean;
};

/**
 * Readings about a request, made as the account that asked for it. What anybody else reads says nothing of it: null
 * while another account is connected, or none.
 */
export const ownReadings = (context: Connected & { client: ServiceClient }, row: ApprovalRow): OwnReadings | null => {
  const keyPrint = context.keyPrint();
  if (!isConnectedAs(context, row.account) || !maySettle(row, keyPrint)) return null;
  return {
    // A reading that fails is made again by the schedule, never at once.
    client: {
      send: (route, input, options) => context.client.send(route, input, { ...options, keyPrint, once: true }),
    },
    // Each key that is put away is a new one, so an account that left and came back has another.
    count: () => isConnectedAs(context, row.account) && context.keyPrint() === keyPrint,
  };
};
