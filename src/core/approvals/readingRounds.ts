import type { Clock } from '../base/ports.ts';
import { waits } from '../service/pacing/waits.ts';

/** Schedules repeated lookups of approvals that no read has settled. */
export type ReadingRounds = {
  /** Returns the number of the round that is due, from 0; null if no round is due. */
  dueRound: (approvalId: string) => number | null;
  /** Records an inconclusive round and schedules the next one; there is none if the automatic lookups have ended. */
  noteRound: (approvalId: string, isLetGo: boolean) => void;
  /** Ends the automatic lookups. */
  endRounds: (approvalId: string) => void;
  /** Whether another read of the listing justifies one more round. */
  mayResume: (approvalId: string) => boolean;
  /** Forgets an approval once it is settled. */
  forget: (approvalId: string) => void;
};

/** The number of doublings that surely reaches the longest wait. */
const maxDoublings = 10;

/** Counts the rounds of this run: the first is due at once, and the intervals of the others double. */
export const createReadingRounds = (clock: Pick<Clock, 'elapsedMs'>): ReadingRounds => {
  const [leastMs, mostMs] = waits.laterReading;
  const rounds = new Map<string, { count: number; dueAtMs: number; isOver: boolean }>();
  const noteRound = (approvalId: string, isOver: boolean): void => {
    const count = (rounds.get(approvalId)?.count ?? 0) + 1;
    const waitMs = Math.min(mostMs, leastMs * 2 ** Math.min(count - 1, maxDoublings));
    rounds.set(approvalId, { count, dueAtMs: clock.elapsedMs() + waitMs, isOver });
  };
  const isDue = ({ dueAtMs }: { dueAtMs: number }): boolean => clock.elapsedMs() >= dueAtMs;
  return {
    dueRound: (approvalId) => {
      const round = rounds.get(approvalId);
      if (round === undefined) return 0;
      return !round.isOver && isDue(round) ? round.count : null;
    },
    noteRound,
    endRounds: (approvalId) => noteRound(approvalId, true),
    mayResume: (approvalId) => {
      const round = rounds.get(approvalId);
      return round !== undefined && round.isOver && isDue(round);
    },
    forget: (approvalId) => void rounds.delete(approvalId),
  };
};
