import { createBoundedMap } from '../base/boundedMap.ts';
import type { PresenceContext } from './presenceContext.ts';

/** Records a refused attempt. Attempts with the same `kind` and `key` count together. */
export type RecordRefusal = (kind: string, key: string, facts: Record<string, unknown>) => void;

const countedMs = 60_000;
const maxCounted = 1_000;

/**
 * Any program can repeat an attempt without end. Of the same attempts within a minute, the 1st, 10th, 100th and so on get
 * a row, with their count.
 */
export const createRefusalRecorder = ({ record, clock }: Pick<PresenceContext, 'record' | 'clock'>): RecordRefusal => {
  const counted = createBoundedMap<string, { untilMs: number; count: number; nextRow: number }>(maxCounted);
  return (kind, key, facts) => {
    const name = `${kind} ${key}`;
    const before = counted.get(name);
    const isSameMinute = before !== undefined && clock.elapsedMs() < before.untilMs;
    const { untilMs, count, nextRow } = isSameMinute
      ? { ...before, count: before.count + 1 }
      : { untilMs: clock.elapsedMs() + countedMs, count: 1, nextRow: 1 };
    const hasRow = count === nextRow;
    counted.set(name, { untilMs, count, nextRow: hasRow ? nextRow * 10 : nextRow });
    if (hasRow) record(kind, count === 1 ? facts : { ...facts, count });
  };
};
