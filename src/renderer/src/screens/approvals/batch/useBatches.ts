import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { call } from '../../../api/call.ts';
import type { BatchView } from '../../../api/types.ts';

type Batches = {
  /** The batch that waits or is under way, when its receipt is not in front of the person. */
  held: BatchView | null;
  /** Lines of it that the person unticked. */
  off: ReadonlySet<string>;
  show: () => void;
  hide: () => void;
};

/** Given by `BatchHost`; apart from it, so that what a batch holds may hide it. */
export const BatchesContext = createContext<Batches>({
  held: null,
  off: new Set(),
  show: () => undefined,
  hide: () => undefined,
});

/** Opens the batch's receipt, and names one that waits behind. */
export const useBatches = (): Batches => useContext(BatchesContext);

export const askingBatch = ['batch.ask'] as const;

/** Asks to publish several listings in one question, which opens at once. */
export const useAskBatch = () => {
  const client = useQueryClient();
  const { show } = useBatches();
  return useMutation({
    mutationKey: askingBatch,
    mutationFn: (listingIds: string[]) => call('batch.ask', { listingIds }),
    onSuccess: (batch) => {
      client.setQueryData(['approvals', 'batch'], batch);
      show();
    },
  });
};
