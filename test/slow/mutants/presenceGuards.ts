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
    only: 'start again after the prompt was hidden',
  },
  {
    id: 'shown-in-session',
    keeps: 'Only the window session that showed this digest can approve it.',
    file: sessions,
    source: 'return found?.digest === digest ? found : null;',
    without: 'return found ?? null;',
    tests: presence,
    only: 'a superseding prompt with another digest',
  },
  {
    id: 'shown-rows',
    keeps: 'Each ticked row of a batch must have been shown.',
    file: 'src/core/approvals/undoWindow.ts',
    source: 'evidence: requirePresence(context, row, batch.windowSession)',
    without: "evidence: { way: 'window', windowSession: '', drawnAs: 'row', dwellMs: 0, isAutomated: null }",
    tests: presence,
    only: 'is refused as a whole',
  },
  {
    id: 'protection-notices',
    keeps: 'Settings do not turn off the notifications about weaker protection.',
    file: 'src/core/companion/coreServices.ts',
    source: "notice.kind === 'protection' || settings.settings().notify[notice.kind]",
    without: "notice.kind !== 'protection' && settings.settings().notify[notice.kind]",
    tests: weaker,
    only: 'although all kinds are turned off',
  },
];
