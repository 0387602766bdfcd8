import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { runUntilEnd, getScriptPath } from '../../helpers/hosts/life.ts';
import { startTestPractice } from '../../helpers/practice.ts';
import { createPracticePerson } from '../../helpers/createPracticePerson.ts';
import type { End } from '../../helpers/processes/endAtMoment.ts';
import { sampledBy, drawSample } from '../../helpers/sample.ts';

const email = 'batches@practice.example';
const found = z.object({ rows: z.array(z.string()).nullable(), interrupted: z.int(), pending: z.int() });

let practice: Awaited<ReturnType<typeof startTestPractice>>;
let home: string;
let listingIds: string[];
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());
const prepareHome = async (): Promise<void> => {
  home = await mkdtemp(join(tmpdir(), 'batch-kills-'));
  const { agentKey } = await createPracticePerson(practice.url, email);
  listingIds = [];
  for (let row = 0; row < 3; row += 1) listingIds.push(await practice.written(agentKey));
};
const removeHome = (): Promise<void> => rm(home, { recursive: true, force: true });

const runProcess = (act: 'send' | 'look', end: End) =>
  runUntilEnd(getScriptPath('batchProcess'), { home, practiceUrl: practice.url, email, listingIds, act, end }, found);

/** Returns how often each row was published. */
const countPublishes = async (): Promise<number[]> => {
  const rows = (await practice.journal()).filter(({ kind }) => kind === 'publish');
  return listingIds.map((listingId) => rows.filter((row) => row['listingId'] === listingId).length);
};

/** The failpoint of a kill, its occurrence, and how many rows are published and interrupted by then. */
type Place = { at: RegExp; turn: number; rows: 'none' | 'all'; done: number; interrupted: number };
const rowTurns = [1, 2, 3];
const createPlace = (at: RegExp, more: Partial<Place> = {}): Place => ({
  ...{ at, turn: 1, rows: 'all', done: 0, interrupted: 0 },
  ...more,
});
const places: Place[] = [
  ...rowTurns.map((turn) => createPlace(/^after: insert into approvals /, { turn, rows: 'none' })),
  createPlace(/^after: insert into batches/),
  createPlace(/^before: update batches rows \+ /),
  createPlace(/^after: update batches rows \+ /, { interrupted: 3 }),
  ...rowTurns.flatMap((turn) => [
    createPlace(/^after: publishListing was answered/, { turn, done: turn, interrupted: 3 - turn }),
    createPlace(/^after: update approvals state settled_at /, { turn, done: turn, interrupted: 3 - turn }),
  ]),
];

/** Returns what a start finds after the kill. */
const toExpected = ({ rows, done, interrupted }: Place): z.output<typeof found> => {
  if (rows === 'none') return { rows: null, interrupted, pending: 0 };
  const states = rowTurns.map((row) => (row <= done ? 'done' : 'pending'));
  return { rows: states, interrupted, pending: rowTurns.length - done };
};

/** Returns the full name of the failpoint in a run that is not killed. */
const findFailpointName = (moments: readonly string[], { at, turn }: Place): string => {
  const name = moments.find((one) => at.test(one) && !/ \(\d\)$/.test(one)) ?? at.source;
  return turn === 1 ? name : `${name} (${turn})`;
};

let moments: string[];
beforeAll(async () => {
  await prepareHome();
  ({ moments } = await runProcess('send', { when: 'never' }));
  expect(await countPublishes()).toEqual([1, 1, 1]);
  await removeHome();
});

test.each(drawSample('real kills', places, 2))(
  `a batch is approved completely or not at all if its process is killed at $at (occurrence $turn; ${sampledBy})`,
  async (place) => {
    await prepareHome();
    const moment = findFailpointName(moments, place);
    const killed = await runProcess('send', { when: 'at', moment });
    expect([killed.moments.at(-1), killed.fact]).toEqual([moment, null]);
    expect((await runProcess('look', { when: 'never' })).fact).toEqual(toExpected(place));
    expect(await countPublishes()).toEqual(rowTurns.map((row) => (row <= place.done ? 1 : 0)));
    await removeHome();
  },
);
