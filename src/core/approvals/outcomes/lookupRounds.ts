import type { Clock } from '../../base/ports.ts';
import { delayRanges } from '../../service/pacing/waits.ts';

/** Schedules repeated lookups of approvals whose outcome no read has shown yet. */
export type LookupScheduler = {
  /** Returns the number of the round that is due, starting at 0; null if no round is due. */
  findDueRound: (approvalId: string) => number | null;
  /** Records an inconclusive round. Schedules another round unless the automatic lookups have ended. */
  noteRound: (approvalId: string, isLetGo: boolean) => void;
  endRounds: (approvalId: string) => void;
  /** Returns whether a new read of the listing can start another round. */
  mayResume: (approvalId: string) => boolean;
  forgetRounds: (approvalId: string) => void;
};

/** After this many doublings, the interval has reached its maximum. */
const maxDoublings = 10;

/** The first round is due at once; the intervals between later rounds double. */
export const createLookupScheduler = (clock: Pick<Clock, 'elapsedMs'>): LookupScheduler => {
  const [leastMs, maxMs] = delayRanges.laterReading;
  const rounds = new Map<string, { count: number; dueAtMs: number; isEnded: boolean }>();
  const noteRound = (approvalId: string, isEnded: boolean): void => {
    const count = (rounds.get(approvalId)?.count ?? 0) + 1;
    const waitMs = Math.min(maxMs, leastMs * 2 ** Math.min(count - 1, maxDoublings));
    rounds.set(approvalId, { count, dueAtMs: clock.elapsedMs() + waitMs, isEnded });
  };
  const isRoundDue = ({ dueAtMs }: { dueAtMs: number }): boolean => clock.elapsedMs() >= dueAtMs;
  return {
    findDueRound: (approvalId) => {
      const round = rounds.get(approvalId);
      if (round === undefined) return 0;
      return !round.isEnded && isRoundDue(round) ? round.count : null;
    },
    noteRound,
    endRounds: (approvalId) => noteRound(approvalId, true),
    mayResume: (approvalId) => {
      const round = rounds.get(approvalId);
      return round !== undefined && round.isEnded && isRoundDue(round);
    },
    forgetRounds: (approvalId) => void rounds.delete(approvalId),
  };
};
