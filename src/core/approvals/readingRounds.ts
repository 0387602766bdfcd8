import type { Clock } from '../base/ports.ts';
import { waits } from '../service/pacing/waits.ts';

/** When approvals that no reading has settled are read again. */
export type ReadingRounds = {
  /** The round of that approval which is due now, from 0; null where none is. */
  dueRound: (approvalId: string) => number | null;
  /** A round has told nothing: the next one comes later, or none by itself where the approval is let go. */
  noteRound: (approvalId: string, isLetGo: boolean) => void;
  /** Nothing is read of it by itself any more. */
  endRounds: (approvalId: string) => void;
  /** Whether a reading that somebody else made shows that one more round may tell something. */
  mayResume: (approvalId: string) => boolean;
  /** It is settled. */
  forget: (approvalId: string) => void;
};

/** So many doublings reach the longest wait. */
const maxDoublings = 10;

/** Counts the rounds of this run: the first is made at once, the others further and further apart. */
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
