import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useBatchList } from '../../api/queries.ts';
import type { BatchView } from '../../api/types.ts';
import { late } from '../../parts/late.tsx';
import { isEditing } from '../../parts/useKeys.ts';
import { askingBatch } from './batch/useBatches.ts';
import { useTicks } from './batch/useTicks.ts';
import type { Question } from './questions.ts';
import { useOpenPrompt } from './useOpenPrompt.ts';
import { PromptsContext, type OpenPrompt } from './usePrompts.ts';
import { useWaiting } from './useWaiting.ts';

const PromptSheet = late(async () => (await import('./PromptSheet.tsx')).PromptSheet);
const BatchSheet = late(async () => (await import('./batch/BatchSheet.tsx')).BatchSheet);

/** Opens what is new, unless the person is writing something or already reads another. Answers what was looked at. */
const useArrivals = (
  waiting: readonly Question[],
  open: OpenPrompt | null,
  show: (question: Question) => void,
): ReadonlySet<string> => {
  const asking = useIsMutating({ mutationKey: askingBatch }) > 0;
  const known = useRef(new Set<string>());
  const [looked, setLooked] = useState<ReadonlySet<string>>(new Set());
  const openId = open?.id ?? null;
  useEffect(() => {
    const fresh = waiting.filter(({ id }) => !known.current.has(id));
    for (const { id } of fresh) known.current.add(id);
    const first = fresh[0];
    if (first && openId === null && !asking && !isEditing() && !document.querySelector('[role=dialog]')) show(first);
  }, [waiting, openId, asking, show]);
  useEffect(() => {
    if (openId !== null) setLooked((before) => new Set(before).add(openId));
  }, [openId]);
  return looked;
};

/** The batch that is open; one that is not there any more is closed, as it would keep others from being shown. */
const useOpenBatch = (open: OpenPrompt | null, close: (id: string) => void): BatchView | undefined => {
  const { data, isFetching } = useBatchList();
  const id = open?.kind === 'batch' ? open.id : null;
  const batch = data?.find(({ batchId }) => batchId === id);
  const isGone = id !== null && data !== undefined && !isFetching && batch === undefined;
  useEffect(() => {
    if (isGone) close(id);
  }, [isGone, id, close]);
  return batch;
};

/** Keeps the one prompt of the window, over every screen: a single question, or a batch. */
export const PromptHost = ({ children }: { children: ReactNode }) => {
  const { open, show, showBatch, follow, close } = useOpenPrompt();
  const waiting = useWaiting();
  const ticks = useTicks();
  const openOne = useMemo(
    () =>
      ({ kind, id }: OpenPrompt): void =>
        kind === 'one' ? show(id) : showBatch(id),
    [show, showBatch],
  );
  const looked = useArrivals(waiting, open, openOne);
  const batch = useOpenBatch(open, close);
  const prompts = useMemo(
    () => ({
      show,
      showBatch,
      hide: () => close(),
      open,
      offOf: (batchId: string) => ticks.of(batchId).off,
      unseen: waiting.filter(({ id }) => !looked.has(id) && id !== open?.id),
    }),
    [show, showBatch, close, waiting, looked, open, ticks],
  );
  return (
    <PromptsContext value={prompts}>
      {children}
      {open?.kind === 'one' && <PromptSheet approvalId={open.id} onFollow={follow} onClose={() => close(open.id)} />}
      {batch && (
        <BatchSheet
          key={batch.batchId}
          batch={batch}
          {...ticks.of(batch.batchId)}
          onFollow={follow}
          onClose={() => close(batch.batchId)}
        />
      )}
    </PromptsContext>
  );
};
