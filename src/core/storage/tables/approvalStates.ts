import type { ApprovalState } from './approvalRecord.ts';

/** The life of an approval as a table. A move that is not here is an error in the companion. */
export const moves = {
  pending: {
    approve: 'approved',
    decline: 'declined',
    expire: 'expired',
    withdraw: 'withdrawn',
    replace: 'superseded',
  },
  approved: { send: 'sending', takeBack: 'withdrawn', replace: 'superseded' },
  sending: { answer: 'done', refuse: 'failed', interrupt: 'unconfirmed' },
  unconfirmed: { confirm: 'done', refute: 'failed' },
} as const satisfies Partial<Record<ApprovalState, Record<string, ApprovalState>>>;

type Moves = typeof moves;
export type ApprovalEvent = { [S in keyof Moves]: keyof Moves[S] }[keyof Moves];

const movesFrom = (from: ApprovalState, events: Record<string, ApprovalState>) =>
  Object.entries(events).map(([event, to]) => ({ event, from, to }));
const moveList = [
  ...movesFrom('pending', moves.pending),
  ...movesFrom('approved', moves.approved),
  ...movesFrom('sending', moves.sending),
  ...movesFrom('unconfirmed', moves.unconfirmed),
];

/** Where an event may come from and where it leads: the SQL update names both, so a double click finds nothing to move. */
export const moveOf = (event: ApprovalEvent): { from: ApprovalState[]; to: ApprovalState } => {
  const found = moveList.filter((one) => one.event === event);
  const [first] = found;
  if (!first) throw new Error(`No approval state knows the event ${event}.`);
  return { from: found.map(({ from }) => from), to: first.to };
};

/** True when nothing more can happen to it. */
export const isFinal = (state: ApprovalState): boolean => !(state in moves);
