import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { questionsKey, withoutGone, type Questions } from '../../../api/queries.ts';
import type { BatchView } from '../../../api/types.ts';
import type { CallInput } from '../../../../../ipc/calls.ts';
import { usePrompts } from '../usePrompts.ts';

export const askingBatch = ['batch.ask'] as const;

/** Puts a batch where the screens look for it, as it was just answered; null takes it away. */
export const keepBatch = (client: QueryClient, batchId: string, batch: BatchView | null): void =>
  void client.setQueryData<Questions>(questionsKey, (before) => {
    const { approvals, batches } = before ?? { approvals: [], batches: [] };
    const at = batches.findIndex((one) => one.batchId === batchId);
    if (batch === null)
      return withoutGone(batches, { approvals, batches: batches.filter((one) => one.batchId !== batchId) });
    return { approvals, batches: at === -1 ? [...batches, batch] : batches.with(at, batch) };
  });

type Asked = { publish: string[] } | { requests: CallInput<'batch.askFor'>['requests'] };

/** Asks for several listings in one question, which opens at once. */
export const useAskBatch = () => {
  const client = useQueryClient();
  const { showBatch } = usePrompts();
  return useMutation({
    mutationKey: askingBatch,
    mutationFn: (asked: Asked) =>
      'publish' in asked ? call('batch.ask', { listingIds: asked.publish }) : call('batch.askFor', asked),
    onSuccess: async (batch) => {
      // A reading that began before would take it away again.
      await client.cancelQueries({ queryKey: questionsKey, exact: true });
      keepBatch(client, batch.batchId, batch);
      showBatch(batch.batchId);
      await client.invalidateQueries({ queryKey: questionsKey, exact: true });
    },
  });
};
