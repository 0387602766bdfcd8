import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import type { BatchView } from '../../../api/types.ts';

type Row = { approvalId: string; digest: string };

/** The answers to a batch: the yes to exactly these rows, to stop, and to close it. */
export const useBatchActs = ({ batchId }: BatchView, onClosed: () => void) => {
  const client = useQueryClient();
  const key = ['approvals', 'batch'];
  const keep = (batch: BatchView): void => void client.setQueryData(key, batch);
  const again = () =>
    Promise.all(['approvals', 'listings'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
  const approve = useMutation({
    mutationFn: (rows: Row[]) => call('batch.approve', { batchId, rows }),
    onSuccess: keep,
    onSettled: again,
  });
  const stop = useMutation({
    mutationFn: () => call('batch.stop', { batchId }),
    onSuccess: keep,
    onSettled: again,
  });
  const close = useMutation({
    mutationFn: () => call('batch.close', { batchId }),
    onSuccess: () => {
      client.setQueryData(key, null);
      onClosed();
    },
    onSettled: again,
  });
  return { approve, stop, close, problem: approve.error ?? stop.error ?? close.error };
};
