import { useEffect, useState, type RefObject } from 'react';
import { callCore, getCompanionWindow, type ApprovalView } from '../../api/call.ts';
import type { CallInput } from '../../../../ipc/calls.ts';

type ShownRow = Pick<ApprovalView, 'approvalId' | 'digest'>;
type DrawnRow = CallInput<'approvals.shown'>['rows'][number];

const waitForPaint = (work: () => void): (() => void) => {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(work);
  });
  return () => cancelAnimationFrame(frame);
};

/** Returns the approvals whose line has its middle in the visible part of the list. */
const findVisibleLines = (list: HTMLElement): Set<string | undefined> => {
  const { top, bottom } = list.getBoundingClientRect();
  const lines = [...list.querySelectorAll<HTMLElement>('[data-approval]')].filter((line) => {
    const { y, height } = line.getBoundingClientRect();
    return y + height / 2 >= top && y + height / 2 <= bottom;
  });
  return new Set(lines.map(({ dataset }) => dataset.approval));
};

const toDrawnRows = (rows: readonly ShownRow[], list: HTMLElement | null): DrawnRow[] => {
  const visible = list && findVisibleLines(list);
  const findForm = (approvalId: string): DrawnRow['drawnAs'] => (visible?.has(approvalId) ? 'row' : 'summary');
  return rows.map(({ approvalId, digest }) => ({
    approvalId,
    digest,
    drawnAs: visible ? findForm(approvalId) : 'prompt',
  }));
};

const reportShownRows = async (rows: DrawnRow[]): Promise<string> =>
  (await callCore('approvals.shown', { isAutomated: navigator.webdriver, rows })).windowSession;

const ignoreError = (): void => undefined;

export type ShownReport = { windowSession: string | null; problem: unknown };
const notReported: ShownReport = { windowSession: null, problem: null };
type ReportState = ShownReport & { shown: string };

/**
 * Tells the core which of these prompts are drawn and visible; `list` contains the lines of a batch. Returns the window
 * session once the core has noted it, because the core counts the time before a yes from then on, or why it could not.
 */
export const useShownReport = (rows: readonly ShownRow[], list?: RefObject<HTMLElement | null>): ShownReport => {
  const shown = JSON.stringify(rows.map(({ approvalId, digest }) => ({ approvalId, digest })));
  const [reported, setReported] = useState<ReportState | null>(null);
  useEffect(() => {
    const prompts = JSON.parse(shown) as ShownRow[];
    if (prompts.length === 0) return;
    let cancelPaint = ignoreError;
    const reportHidden = (): void => {
      cancelPaint();
      setReported(null);
      reportShownRows([]).catch(ignoreError);
    };
    const reportDrawn = async (): Promise<void> => {
      const windowSession = await reportShownRows(toDrawnRows(prompts, list?.current ?? null));
      if (document.visibilityState !== 'hidden') setReported({ shown, windowSession, problem: null });
    };
    const report = (): void => {
      if (document.visibilityState === 'hidden') return reportHidden();
      cancelPaint();
      cancelPaint = waitForPaint(
        () => void reportDrawn().catch((problem: unknown) => setReported({ shown, windowSession: null, problem })),
      );
    };
    // The window announces all topics after it has connected again.
    const unsubscribe = getCompanionWindow().onChanged((topic) => topic === 'approvals' && report());
    const scrolled = list?.current;
    report();
    document.addEventListener('visibilitychange', report);
    scrolled?.addEventListener('scroll', report, { passive: true });
    return () => {
      unsubscribe();
      document.removeEventListener('visibilitychange', report);
      scrolled?.removeEventListener('scroll', report);
      reportHidden();
    };
  }, [shown, list]);
  return reported?.shown === shown ? reported : notReported;
};
