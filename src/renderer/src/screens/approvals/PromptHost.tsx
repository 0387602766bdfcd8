import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useIsMutating } from '@tanstack/react-query';
import type { ApprovalView } from '../../api/types.ts';
import { late } from '../../parts/late.tsx';
import { isEditing } from '../../parts/useKeys.ts';
import { PromptsContext } from './usePrompts.ts';
import { askingBatch } from './batch/useBatches.ts';
import { useWaiting } from './useWaiting.ts';

const PromptSheet = late(async () => (await import('./PromptSheet.tsx')).PromptSheet);

/** Opens what is new, unless the person is writing something or already reads another. */
const useArrivals = (waiting: readonly ApprovalView[], openId: string | null, show: (id: string) => void) => {
  const asking = useIsMutating({ mutationKey: askingBatch }) > 0;
  const known = useRef(new Set<string>());
  const [looked, setLooked] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const fresh = waiting.filter((approval) => !known.current.has(approval.approvalId));
    for (const approval of fresh) known.current.add(approval.approvalId);
    const first = fresh[0];
    if (first && openId === null && !asking && !isEditing() && !document.querySelector('[role=dialog]'))
      show(first.approvalId);
  }, [waiting, openId, asking, show]);
  useEffect(() => {
    if (openId !== null) setLooked((before) => new Set(before).add(openId));
  }, [openId]);
  return looked;
};

/** The question that was chosen outside the window, in the tray or a notification. */
const chosenOutside = (): string | null => new URLSearchParams(window.location.search).get('approval');

/** Keeps the one prompt of the window, over every screen. */
export const PromptHost = ({ children }: { children: ReactNode }) => {
  const [openId, setOpenId] = useState<string | null>(chosenOutside);
  const waiting = useWaiting();
  const whenClosed = useRef<((approvalId: string) => void) | undefined>(undefined);
  const show = useCallback((approvalId: string, onClosed?: (approvalId: string) => void) => {
    whenClosed.current = onClosed;
    setOpenId(approvalId);
  }, []);
  const close = (): void => {
    const told = whenClosed.current;
    whenClosed.current = undefined;
    setOpenId(null);
    if (openId !== null) told?.(openId);
  };
  const looked = useArrivals(waiting, openId, show);
  const prompts = useMemo(
    () => ({ show, held: waiting.filter(({ approvalId }) => !looked.has(approvalId) && approvalId !== openId) }),
    [show, waiting, looked, openId],
  );
  return (
    <PromptsContext value={prompts}>
      {children}
      {openId !== null && <PromptSheet approvalId={openId} onShow={setOpenId} onClose={close} />}
    </PromptsContext>
  );
};
