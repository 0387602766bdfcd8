import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CallError, perform, read, type Performed } from '../../../api/call.ts';
import { standingKey } from '../../../api/queries.ts';
import { usePrompts } from '../usePrompts.ts';

export type ExtrasAct =
  { act: 'on'; rateCents: number } | { act: 'off' } | { act: 'aside'; count: number; rateCents: number };

const send = (act: ExtrasAct): Promise<Performed<'setExtras'> | Performed<'approveExtras'>> => {
  if (act.act === 'aside') return perform('approveExtras', { body: { count: act.count, rateCents: act.rateCents } });
  return perform('setExtras', {
    body: act.act === 'on' ? { enabled: true, acknowledgedRateCents: act.rateCents } : { enabled: false },
  });
};

/** Asks for extras on, off or set aside. When the rate is another by now, it is read again for the person to see. */
export const useExtras = () => {
  const client = useQueryClient();
  const { show } = usePrompts();
  return useMutation({
    mutationFn: send,
    onSuccess: (performed) => {
      if (performed.state === 'pending') show(performed.approvalId);
    },
    onError: async (error) => {
      if (error instanceof CallError && error.code === 'RATE_CHANGED')
        client.setQueryData(standingKey, await read('readStanding', {}));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  });
};
