import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import * as z from 'zod';

/** Where a process ends: at this moment; at the first one that is not named; never. */
export const endShape = z.discriminatedUnion('when', [
  z.object({ when: z.literal('at'), moment: z.string() }),
  z.object({ when: z.literal('atAnyBut'), moments: z.array(z.string()) }),
  z.object({ when: z.literal('never') }),
]);
export type End = z.infer<typeof endShape>;

/** Tells the test a fact, as a line of JSON. */
export const say = (fact: unknown): void => void writeSync(1, `${JSON.stringify(fact)}\n`);

/** The same moment comes again and again; the first times tell all there is to know. */
const maxTimes = 3;

/**
 * Tells each failpoint that this process meets, and ends it where `end` says. Call it before anything is imported that opens
 * the database: that asks whether somebody listens.
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
    say({ moment: name });
    if (endsAt(name, nth === 1)) process.kill(process.pid, 'SIGKILL');
  });
};
