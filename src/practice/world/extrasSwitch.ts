import * as z from 'zod';
import { limits } from '../../contract/index.ts';
import { dayMs } from '../clock.ts';
import { all, atomically, run } from '../database.ts';
import { randomText } from '../ids.ts';
import { refuse, retryAfter } from '../refusal.ts';
import { extraRates, extrasProblem, type ExtrasProblem } from './extras.ts';
import { note } from './journal.ts';
import type { Key } from './keys.ts';
import { sendMail } from './outbox.ts';
import { knownPerson, type Person } from './people.ts';
import type { World } from './world.ts';

const problemWords = {
  free: 'The free plan has no extra listings.',
  trial: 'There are no extra listings during the trial.',
  store: 'The plan was bought in an app store, which has no extra listings.',
} as const;

const endApprovals = (world: World, userId: string): void => {
  run(
    world.db,
    'UPDATE extrasApprovals SET endedAt = ? WHERE userId = ? AND endedAt IS NULL',
    world.clock.now(),
    userId,
  );
};

const rateChanged = (rateCents: number | null): never =>
  refuse(409, 'The rate of an extra listing is not the one that was told to the person.', 'RATE_CHANGED', {
    body: { rateCents },
  });

const turnOff = (world: World, person: Person): void => {
  run(world.db, 'UPDATE people SET extrasEnabled = 0 WHERE userId = ?', person.userId);
  endApprovals(world, person.userId);
  note(world, 'extras', { userId: person.userId, enabled: false });
};

const sendReceipt = (world: World, person: Person, rateCents: number | null): void => {
  run(world.db, 'UPDATE people SET extrasReceipt = 1 WHERE userId = ?', person.userId);
  sendMail(world, person.userId, {
    to: person.email,
    subject: 'Extra listings are on',
    text: `Each costs US$${((rateCents ?? 0) / 100).toFixed(2)}, and none is used without your approval.`,
  });
};

const turnOn = (world: World, person: Person, acknowledged: number | undefined): void => {
  const problem = extrasProblem(world, person);
  if (problem !== null) refuse(409, problemWords[problem], 'overage-unavailable', { body: { reason: problem } });
  const rateCents = extraRates[person.plan];
  if (acknowledged !== rateCents) rateChanged(rateCents);
  if (person.extrasEnabled) return person.extrasReceipt ? undefined : sendReceipt(world, person, rateCents);
  const since = person.extrasOnAt === null ? Infinity : world.clock.now() - person.extrasOnAt;
  if (since < limits.extras.turnOnEveryMs)
    refuse(429, 'An assistant already turned extra listings on in the last 24 hours.', 'EXTRAS_ON_LIMIT', {
      headers: retryAfter(limits.extras.turnOnEveryMs - since),
    });
  run(
    world.db,
    'UPDATE people SET extrasEnabled = 1, extrasOnAt = ? WHERE userId = ?',
    world.clock.now(),
    person.userId,
  );
  note(world, 'extras', { userId: person.userId, enabled: true, rateCents });
  sendReceipt(world, person, rateCents);
};

/** Turns paid extra listings on at the acknowledged rate, or off, which always works and ends every approval. */
export const setExtras = (world: World, userId: string, enabled: boolean, acknowledged: number | undefined): void =>
  atomically(world.db, () => {
    const person = knownPerson(world, userId);
    if (enabled) turnOn(world, person, acknowledged);
    else turnOff(world, person);
  });

const approved = z.object({ count: z.int(), createdAt: z.int() });

/** Refuses more than a day's worth of extra listings, over all assistants of a person. */
const requireDailyShare = (world: World, person: Person, count: number): void => {
  const since = world.clock.now() - dayMs;
  const today = all(
    world.db,
    approved,
    'SELECT count, createdAt FROM extrasApprovals WHERE userId = ? AND createdAt > ? ORDER BY createdAt',
    person.userId,
    since,
  );
  const sum = today.reduce((total, row) => total + row.count, 0);
  if (sum + count > limits.extras.perDay)
    refuse(
      429,
      `Assistants can set aside ${limits.extras.perDay} extra listings a day; ${sum} are.`,
      'EXTRAS_DAILY_LIMIT',
      {
        headers: retryAfter((today[0]?.createdAt ?? since) - since || dayMs),
      },
    );
};

/** Refuses an approval that the person's plan, switch or rate does not allow. */
const requireApprovable = (person: Person, problem: ExtrasProblem | null, rateCents: number): void => {
  if (problem !== null) refuse(409, problemWords[problem], 'EXTRAS_UNAVAILABLE', { body: { reason: problem } });
  if (!person.extrasEnabled) refuse(409, 'Extra listings are off.', 'EXTRAS_OFF');
  if (!person.extrasReceipt)
    refuse(
      409,
      'The mail about turning extra listings on was never sent. Turn them on again.',
      'EXTRAS_ON_UNCONFIRMED',
    );
  const rate = extraRates[person.plan];
  if (rateCents !== rate) rateChanged(rate);
};

/** Sets aside extra listings for this assistant; replaces every approval before it. */
export const approveExtras = (
  world: World,
  userId: string,
  key: Key,
  { count, rateCents }: { count: number; rateCents: number },
): { approvalId: string; expiresAt: number } =>
  atomically(world.db, () => {
    const person = knownPerson(world, userId);
    requireApprovable(person, extrasProblem(world, person), rateCents);
    requireDailyShare(world, person, count);
    endApprovals(world, userId);
    const approvalId = `xa_${randomText(12)}`;
    const now = world.clock.now();
    run(
      world.db,
      'INSERT INTO extrasApprovals (approvalId, userId, keyId, count, rateCents, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
      ...[approvalId, userId, key.keyId, count, rateCents, now],
    );
    note(world, 'extras', { userId, approvalId, count, rateCents });
    sendMail(world, userId, {
      to: person.email,
      subject: `Receipt: up to ${count} extra ${count === 1 ? 'listing' : 'listings'} approved`,
      text: `"${key.label}" may use up to ${count} extra listings at US$${(rateCents / 100).toFixed(2)} each for 24 hours.`,
    });
    return { approvalId, expiresAt: now + limits.extras.approvalLifeMs };
  });
