import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useIsMutating } from '@tanstack/react-query';
import type { ApprovalView } from '../../api/types.ts';
import { isEditing } from '../../parts/useKeys.ts';
import { PromptSheet } from './PromptSheet.tsx';
import { askingBatch } from './batch/BatchHost.tsx';
import { useWaiting } from './useWaiting.ts';

type Prompts = {
  show: (approvalId: string) => void;
  /** Waiting questions that came while the person was busy and have not been looked at. */
  held: readonly ApprovalView[];
};

const Context = createContext<Prompts>({ show: () => undefined, held: [] });

/** Opens a prompt, and names those that wait to be looked at. */
export const usePrompts = (): Prompts => useContext(Context);

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

/** Keeps the one prompt of the window, over every screen. */
export const PromptHost = ({ children }: { children: ReactNode }) => {
  const [openId, setOpenId] = useState<string | null>(null);
  const waiting = useWaiting();
  const show = useCallback((approvalId: string) => setOpenId(approvalId), []);
  const close = useCallback(() => setOpenId(null), []);
  const looked = useArrivals(waiting, openId, show);
  const prompts = useMemo(
    () => ({ show, held: waiting.filter(({ approvalId }) => !looked.has(approvalId) && approvalId !== openId) }),
    [show, waiting, looked, openId],
  );
  return (
    <Context value={prompts}>
      {children}
      {openId !== null && <PromptSheet approvalId={openId} onShow={show} onClose={close} />}
    </Context>
  );
};
