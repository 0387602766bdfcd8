import type { Guard } from './guard.ts';

const sessions = 'src/core/presence/windowSessions.ts';
const presence = ['test/flows/approvals/presence.test.ts'];
const weaker = ['test/flows/approvals/weakerProtection.test.ts'];

/** Checks that a window showed what the person approved, and that weaker protection is noticed. */
export const presenceGuards: readonly Guard[] = [
  {
    id: 'dwell',
    keeps: 'A yes counts only after the prompt was visible for 1.2 s.',
    file: sessions,
    source: "if (dwellMs < minDwellMs) throw createProblem('SHOWN_TOO_BRIEFLY');",
    without: '',
    tests: presence,
    only: '300 ms after the prompt was drawn',
  },
  {
    id: 'dwell-hidden',
    keeps: 'The time before a yes starts again after the prompt was hidden.',
    file: sessions,
    source: 'for (const shown of session.shown.values()) shown.sinceMs = null;',
    without: '',
    tests: presence,
    only: 'restarts after the prompt was hidden',
  },
  {
    id: 'shown-digest-reported',
    keeps: 'A report with another digest does not count as shown.',
    file: 'src/core/approvals/decision.ts',
    source: "row?.state === 'pending' && row.digest === digest && isAccountConnected(context, row)",
    without: "row?.state === 'pending' && isAccountConnected(context, row)",
    tests: presence,
    only: 'a report of another digest',
  },
  {
    id: 'shown-in-session',
    keeps: 'Only the window session that showed the prompt can approve it.',
    file: sessions,
    source: "if (sessionId === undefined || found === null) throw createProblem('PROMPT_NOT_SHOWN');",
    without:
      "if (sessionId === undefined || found === null) return { way: 'window', windowSession: '', drawnAs: 'prompt', dwellMs: 0, isAutomated: null };",
    tests: presence,
    only: 'from another window session',
  },
  {
    id: 'shown-rows',
    keeps: 'Each ticked row of a batch must have been shown.',
    file: 'src/core/approvals/decision.ts',
    source: 'evidence: requirePresence(context, row, windowSession)',
    without: "evidence: { way: 'window', windowSession: '', drawnAs: 'row', dwellMs: 0, isAutomated: null }",
    tests: presence,
    only: 'is refused as a whole',
  },
  {
    id: 'protection-notices',
    keeps: 'Each change that weakens protection raises a notification.',
    file: 'src/core/approvals/ledger/openLedger.ts',
    source: 'parts.onAppended(kind, facts, isStored);',
    without: '',
    tests: weaker,
    only: 'although all kinds of notifications are turned off',
  },
];
