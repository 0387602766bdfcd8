import type { Clock } from '../base/ports.ts';
import { waits } from '../service/pacing/waits.ts';

/** Schedules repeated lookups of approvals that no read has settled. */
export type LookupRounds = {
  /** Returns the number of the round that is due, from 0; null if no round is due. */
  findDueRound: (approvalId: string) => number | null;
  /** Records an inconclusive round and schedules the next one; there is none if the automatic lookups have ended. */
  noteRound: (approvalId: string, isLetGo: boolean) => void;
  /** Ends the automatic lookups. */
  endRounds: (approvalId: string) => void;
  /** Whether another read of the listing justifies one more round. */
  mayResume: (approvalId: string) => boolean;
  /** Forgets an approval once it is settled. */
  forgetRounds: (approvalId: string) => void;
};

/** The number of doublings that surely reaches the longest wait. */
const maxDoublings = 10;

/** Counts the rounds of this run: the first is due at once, and the intervals of the others double. */
export const createLookupRounds = (clock: Pick<Clock, 'elapsedMs'>): LookupRounds => {
  const [leastMs, maxMs] = waits.laterReading;
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
