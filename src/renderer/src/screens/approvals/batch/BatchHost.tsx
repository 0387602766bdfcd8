import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { call } from '../../../api/call.ts';
import { useBatchNow } from '../../../api/queries.ts';
import type { BatchView } from '../../../api/types.ts';
import { BatchSheet } from './BatchSheet.tsx';

type Batches = {
  /** The batch that waits or is under way, when its receipt is not in front of the person. */
  held: BatchView | null;
  show: () => void;
  hide: () => void;
};

const Context = createContext<Batches>({ held: null, show: () => undefined, hide: () => undefined });

/** Opens the batch's receipt, and names one that waits behind. */
export const useBatches = (): Batches => useContext(Context);

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

/** Keeps the one batch of the window, over every screen. */
export const BatchHost = ({ children }: { children: ReactNode }) => {
  const [open, setOpen] = useState(false);
  const batch = useBatchNow().data ?? null;
  const show = useCallback(() => setOpen(true), []);
  const hide = useCallback(() => setOpen(false), []);
  const batches = useMemo(() => ({ held: open ? null : batch, show, hide }), [open, batch, show, hide]);
  return (
    <Context value={batches}>
      {children}
      {open && batch && <BatchSheet key={batch.batchId} batch={batch} onHide={hide} />}
    </Context>
  );
};
