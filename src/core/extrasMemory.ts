import * as z from 'zod';
import type { RouteName } from '../contract/index.ts';
import { extrasApprovalId } from '../contract/index.ts';
import type { CoreParts } from './openParts.ts';

/** Remembers the number of the extras that the person set aside: the service names it once. */
export const extrasMemory = ({ settings, connection, changed }: CoreParts) => {
  const name = (): string => `extras approval ${connection.account()}`;
  const approved = z.looseObject({ approvalId: extrasApprovalId });
  return {
    held: (): string | null => settings.read(name(), extrasApprovalId),
    answered: (route: RouteName, answer: unknown): void => {
      if (route !== 'approveExtras') return;
      const parsed = approved.safeParse(answer);
      if (parsed.success) settings.write(name(), parsed.data.approvalId);
      changed('app');
    },
  };
};
