import { useCallback, useMemo, useState } from 'react';

export type OnTick = (listingIds: readonly string[], on: boolean) => void;
export type Ticks = { off: ReadonlySet<string>; onTick: OnTick };

const nothing: ReadonlySet<string> = new Set();

/** Which lines of each batch the person unticked; kept while its receipt is closed. */
export const useTicks = () => {
  const [all, setAll] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const of = useCallback(
    (batchId: string): Ticks => ({
      off: all.get(batchId) ?? nothing,
      onTick: (listingIds, on) =>
        setAll((before) => {
          const off = new Set(before.get(batchId));
          for (const listingId of listingIds)
            if (on) off.delete(listingId);
            else off.add(listingId);
          return new Map(before).set(batchId, off);
        }),
    }),
    [all],
  );
  return useMemo(() => ({ of }), [of]);
};
