import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { limits } from '../../contract/index.ts';
import { hourMs } from '../clock.ts';
import { all, atomically, one, run, count } from '../database.ts';
import { newId, sameDigest, sha256 } from '../ids.ts';
import { Refusal, refuse, retryAfter } from '../refusal.ts';
import { createKey, liveKeys, revokeKey } from './keys.ts';
import { sendMail, notify } from './messages.ts';
import { createPerson, normalizeEmail, findPersonByEmail, requirePerson } from './people.ts';
import { requireAccountSetUp, requireMail } from './disruptions.ts';
import type { World } from './world.ts';
import { recordEffect } from './journal.ts';

const codesPerHour = 5;

const challengeRow = z.object({
  challengeId: z.string(),
  email: z.string(),
  digest: z.string(),
  label: z.string(),
  name: z.string().nullable(),
  tries: z.int(),
  usedAt: z.int().nullable(),
  createdAt: z.int(),
});
type Challenge = z.infer<typeof challengeRow>;

type SignInStart = { email: string; agentLabel: string; name?: string | undefined };

const sentAt = z.object({ createdAt: z.int() });

/** Refuses to send another code to an address that reached its hourly limit. */
const refuseTooManyCodes = ({ db, clock }: World, email: string): void => {
  const since = clock.now() - hourMs;
  const sent = all(
    db,
    sentAt,
    'SELECT createdAt FROM challenges WHERE email = ? AND createdAt > ? ORDER BY createdAt',
    email,
    since,
  );
  const oldest = sent[sent.length - codesPerHour];
  if (!oldest) return;
  refuse(429, 'Too many codes were sent to this address. Wait before asking for another one.', undefined, {
    headers: retryAfter(oldest.createdAt - since),
  });
};

/** Sends a sign-in code by mail. The answer does not reveal whether the account exists. */
export const startSignIn = (world: World, start: SignInStart): { challengeId: string } =>
  atomically(world.db, () => {
    const email = normalizeEmail(start.email);
    refuseTooManyCodes(world, email);
    requireMail(world, 'Codes are not being sent now. Try again in a minute.');
    const challengeId = newId('chl');
    const { digits, lifeMs } = limits.signInCode;
    const code = String(randomInt(10 ** digits)).padStart(digits, '0');
    run(
      world.db,
      'INSERT INTO challenges (challengeId, email, digest, label, name, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
      challengeId,
      email,
      sha256(`${challengeId}.${code}`),
      start.agentLabel,
      start.name ?? null,
      world.clock.now(),
    );
    sendMail(world, findPersonByEmail(world, email)?.userId ?? null, {
      to: email,
      subject: `${code} is your sign-in code`,
      text: `"${start.agentLabel}" asks to be connected to your account. The code is ${code}. It works once, for ${lifeMs / 60_000} minutes. If you did not ask for it, do nothing.`,
      code,
    });
    return { challengeId };
  });

const usedUp = 'This sign-in is used up. Start again to get a new code.';
const invalid = (sentence: string): Refusal => new Refusal(400, sentence, { code: 'INVALID_CODE' });

/** Returns why a challenge can no longer be answered, or null if it can. */
const expiredBecause = ({ clock }: World, challenge: Challenge): string | null => {
  if (challenge.usedAt !== null) return 'This code was already used. Start again to get a new one.';
  if (challenge.tries >= limits.signInCode.tries) return usedUp;
  if (clock.now() - challenge.createdAt >= limits.signInCode.lifeMs)
    return 'This code has expired. Start again to get a new one.';
  return null;
};

type SignedIn = { apiKey: string; keyId: string; userId: string; accountCreated: boolean };

const signIn = (world: World, challenge: Challenge): SignedIn => {
  run(world.db, 'UPDATE challenges SET usedAt = ? WHERE challengeId = ?', world.clock.now(), challenge.challengeId);
  const known = findPersonByEmail(world, challenge.email);
  if (known && known.deletedAt !== null)
    refuse(409, 'This address cannot be used: its account was deleted.', 'ACCOUNT_UNAVAILABLE');
  if (!known) requireAccountSetUp(world, challenge.email);
  const person = known ?? createPerson(world, challenge.email, challenge.name);
  return { ...createKey(world, person.userId, challenge.label, 'code'), userId: person.userId, accountCreated: !known };
};

/** Counts a wrong code. It returns the refusal instead of throwing it, because a throw would roll back the count. */
const countWrongTry = (world: World, challenge: Challenge): Refusal => {
  run(world.db, 'UPDATE challenges SET tries = tries + 1 WHERE challengeId = ?', challenge.challengeId);
  const left = limits.signInCode.tries - challenge.tries - 1;
  return invalid(left > 0 ? `This code is not right. ${left} more ${left === 1 ? 'try' : 'tries'}.` : usedUp);
};

/** Exchanges a code for a key; creates the account if there is none. */
export const verifySignIn = (world: World, given: { challengeId: string; email: string; code: string }): SignedIn => {
  const outcome = atomically(world.db, (): SignedIn | Refusal => {
    const challenge = one(world.db, challengeRow, 'SELECT * FROM challenges WHERE challengeId = ?', given.challengeId);
    if (!challenge || challenge.email !== normalizeEmail(given.email))
      return invalid('This sign-in is not known. Start again to get a new code.');
    const ended = expiredBecause(world, challenge);
    if (ended !== null) return invalid(ended);
    if (!sameDigest(challenge.digest, sha256(`${challenge.challengeId}.${given.code}`)))
      return countWrongTry(world, challenge);
    return signIn(world, challenge);
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
};

const referrerRow = z.object({ userId: z.string(), name: z.string().nullable() });

/** Returns the person who owns a referral code, or null. */
export const referrerOf = ({ db }: World, code: string): z.infer<typeof referrerRow> | null =>
  one(db, referrerRow, 'SELECT userId, name FROM people WHERE referralCode = ? AND deletedAt IS NULL', code);

export const countReferred = ({ db }: World, userId: string): number =>
  one(db, count, 'SELECT COUNT(*) AS n FROM people WHERE referredBy = ?', userId)?.n ?? 0;

/**
 * Creates an account through a referral link. An existing account is not counted, and the caller cannot tell the
 * difference.
 */
export const joinByReferral = (world: World, userId: string, email: string): void =>
  atomically(world.db, () => {
    if (findPersonByEmail(world, email)) return;
    const joined = createPerson(world, email, null);
    run(world.db, 'UPDATE people SET referredBy = ? WHERE userId = ?', userId, joined.userId);
    recordEffect(world, 'joined', { userId, joined: joined.userId });
    notify(world, userId, { kind: 'account', text: 'Somebody joined by your link.' });
  });

/** Resets the password, as on the web: revokes the keys made by a code, unless the account had no password before. */
export const resetPassword = (world: World, userId: string): { ended: string[] } =>
  atomically(world.db, () => {
    const { hasPassword } = requirePerson(world, userId);
    const ended = hasPassword ? liveKeys(world, userId).filter(({ madeBy }) => madeBy === 'code') : [];
    for (const key of ended) revokeKey(world, key);
    run(world.db, 'UPDATE people SET hasPassword = 1 WHERE userId = ?', userId);
    recordEffect(world, 'account', { userId, what: hasPassword ? 'password_reset' : 'first_password' });
    return { ended: ended.map(({ keyId }) => keyId) };
  });

/** Deletes the account, as on the web: revokes every key and blocks the address for good. */
export const deleteAccount = (world: World, userId: string): { ended: string[] } =>
  atomically(world.db, () => {
    const ended = liveKeys(world, userId);
    for (const key of ended) revokeKey(world, key);
    run(world.db, 'UPDATE people SET deletedAt = ?, renewsAt = NULL WHERE userId = ?', world.clock.now(), userId);
    recordEffect(world, 'account', { userId, what: 'deleted' });
    return { ended: ended.map(({ keyId }) => keyId) };
  });
