import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useBatchNow } from '../../../api/queries.ts';
import { late } from '../../../parts/late.tsx';
import type { OnTick } from './BatchSheet.tsx';
import { BatchesContext } from './useBatches.ts';

const BatchSheet = late(async () => (await import('./BatchSheet.tsx')).BatchSheet);
const nothing: ReadonlySet<string> = new Set();

/** Which lines the person unticked; kept while the receipt is closed, forgotten with the batch. */
const useTicks = (batchId: string | null) => {
  const [ticks, setTicks] = useState({ batchId, off: nothing });
  if (ticks.batchId !== batchId) setTicks({ batchId, off: nothing });
  const tick: OnTick = useCallback(
    (listingIds, on) =>
      setTicks((before) => {
        const off = new Set(before.off);
        for (const listingId of listingIds)
          if (on) off.delete(listingId);
          else off.add(listingId);
        return { ...before, off };
      }),
    [],
  );
  return { off: ticks.batchId === batchId ? ticks.off : nothing, tick };
};

/** Keeps the one batch of the window, over every screen. */
export const BatchHost = ({ children }: { children: ReactNode }) => {
  const [open, setOpen] = useState(false);
  const batch = useBatchNow().data ?? null;
  const { off, tick } = useTicks(batch?.batchId ?? null);
  const show = useCallback(() => setOpen(true), []);
  const hide = useCallback(() => setOpen(false), []);
  const batches = useMemo(() => ({ held: open ? null : batch, off, show, hide }), [open, batch, off, show, hide]);
  return (
    <BatchesContext value={batches}>
      {children}
      {open && batch && <BatchSheet key={batch.batchId} batch={batch} off={off} onTick={tick} onHide={hide} />}
    </BatchesContext>
  );
};
