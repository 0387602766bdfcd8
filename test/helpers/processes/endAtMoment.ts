import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import * as z from 'zod';

/** Where a process is killed: at this failpoint, at the first failpoint not listed, or never. */
export const endShape = z.discriminatedUnion('when', [
  z.object({ when: z.literal('at'), moment: z.string() }),
  z.object({ when: z.literal('atAnyBut'), moments: z.array(z.string()) }),
  z.object({ when: z.literal('never') }),
]);
export type End = z.infer<typeof endShape>;

/** Reports a fact to the test as a line of JSON. */
export const reportFact = (fact: unknown): void => void writeSync(1, `${JSON.stringify(fact)}\n`);

/** A failpoint can be met many times; the first times are enough. */
const maxTimes = 3;

/**
 * Reports each failpoint of this process and kills the process where `end` says. Call this before importing anything
 * that opens the database, which checks whether a listener exists.
 */
export const endAtMoment = (end: End): void => {
  const times = new Map<string, number>();
  const endsAt = (name: string, isFirst: boolean): boolean =>
    (end.when === 'at' && end.moment === name) || (end.when === 'atAnyBut' && isFirst && !end.moments.includes(name));
  subscribe('listing-companion.failpoints', (message) => {
    const kind = z.string().parse(message);
    const nth = (times.get(kind) ?? 0) + 1;
    times.set(kind, nth);
    if (nth > maxTimes) return;
    const name = nth === 1 ? kind : `${kind} (${nth})`;
    reportFact({ moment: name });
    if (endsAt(name, nth === 1)) process.kill(process.pid, 'SIGKILL');
  });
};
