import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { limits } from '../../contract/index.ts';
import { hourMs } from '../clock.ts';
import { selectAllRows, runInTransaction, selectFirstRow, runStatement, countRow } from '../database.ts';
import { createPrefixedId, areDigestsEqual, hashSha256Hex } from '../ids.ts';
import { Refusal, refuseCall, createRetryAfterHeader } from '../refusal.ts';
import { createAssistantKey, listLiveKeys, revokeAssistantKey } from './keys.ts';
import { sendPracticeMail, addPersonNotification } from './messages.ts';
import { createFreeAccount, normaliseEmailAddress, findPersonByEmail, requirePersonById } from './people.ts';
import { requireAccountSetUp, requireMailService } from './disruptions.ts';
import type { World } from './world.ts';
import { recordJournalEffect } from './journal.ts';

const maxCodesPerHour = 5;

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

const sentAtRow = z.object({ createdAt: z.int() });

const refuseTooManyCodes = ({ db, clock }: World, email: string): void => {
  const since = clock.now() - hourMs;
  const sent = selectAllRows(
    db,
    sentAtRow,
    'SELECT createdAt FROM challenges WHERE email = ? AND createdAt > ? ORDER BY createdAt',
    email,
    since,
  );
  const oldest = sent[sent.length - maxCodesPerHour];
  if (!oldest) return;
  refuseCall(429, 'Too many codes were sent to this address. Wait before asking for another one.', undefined, {
    headers: createRetryAfterHeader(oldest.createdAt - since),
  });
};

/** Sends a sign-in code by mail. The answer does not reveal whether the account exists. */
export const sendSignInCode = (world: World, start: SignInStart): { challengeId: string } =>
  runInTransaction(world.db, () => {
    const email = normaliseEmailAddress(start.email);
    refuseTooManyCodes(world, email);
    requireMailService(world, 'Codes are not being sent now. Try again in a minute.');
    const challengeId = createPrefixedId('chl');
    const { digits, lifeMs } = limits.signInCode;
    const code = String(randomInt(10 ** digits)).padStart(digits, '0');
    runStatement(
      world.db,
      'INSERT INTO challenges (challengeId, email, digest, label, name, createdAt) VALUES (?, ?, ?, ?, ?, ?)',
      challengeId,
      email,
      hashSha256Hex(`${challengeId}.${code}`),
      start.agentLabel,
      start.name ?? null,
      world.clock.now(),
    );
    sendPracticeMail(world, findPersonByEmail(world, email)?.userId ?? null, {
      to: email,
      subject: `${code} is your sign-in code`,
      text: `"${start.agentLabel}" asks to be connected to your account. The code is ${code}. It works once, for ${lifeMs / 60_000} minutes. If you did not ask for it, do nothing.`,
      code,
    });
    return { challengeId };
  });

const usedUpMessage = 'This sign-in is used up. Start again to get a new code.';
const createInvalidCodeRefusal = (sentence: string): Refusal => new Refusal(400, sentence, { code: 'INVALID_CODE' });

const findChallengeProblem = ({ clock }: World, challenge: Challenge): string | null => {
  if (challenge.usedAt !== null) return 'This code was already used. Start again to get a new one.';
  if (challenge.tries >= limits.signInCode.tries) return usedUpMessage;
  if (clock.now() - challenge.createdAt >= limits.signInCode.lifeMs)
    return 'This code has expired. Start again to get a new one.';
  return null;
};

type SignInResult = { apiKey: string; keyId: string; userId: string; accountCreated: boolean };

const completeSignIn = (world: World, challenge: Challenge): SignInResult => {
  runStatement(
    world.db,
    'UPDATE challenges SET usedAt = ? WHERE challengeId = ?',
    world.clock.now(),
    challenge.challengeId,
  );
  const known = findPersonByEmail(world, challenge.email);
  if (known && known.deletedAt !== null)
    refuseCall(409, 'This address cannot be used: its account was deleted.', 'ACCOUNT_UNAVAILABLE');
  if (!known) requireAccountSetUp(world, challenge.email);
  const person = known ?? createFreeAccount(world, challenge.email, challenge.name);
  return {
    ...createAssistantKey(world, person.userId, challenge.label, 'code'),
    userId: person.userId,
    accountCreated: !known,
  };
};

/** Returns the refusal instead of throwing it, because a throw would roll back the count. */
const recordWrongCode = (world: World, challenge: Challenge): Refusal => {
  runStatement(world.db, 'UPDATE challenges SET tries = tries + 1 WHERE challengeId = ?', challenge.challengeId);
  const left = limits.signInCode.tries - challenge.tries - 1;
  return createInvalidCodeRefusal(
    left > 0 ? `This code is not right. ${left} more ${left === 1 ? 'try' : 'tries'}.` : usedUpMessage,
  );
};

/** Exchanges a code for a key. Creates the account if it does not exist. */
export const verifySignInCode = (
  world: World,
  answer: { challengeId: string; email: string; code: string },
): SignInResult => {
  const outcome = runInTransaction(world.db, (): SignInResult | Refusal => {
    const challenge = selectFirstRow(
      world.db,
      challengeRow,
      'SELECT * FROM challenges WHERE challengeId = ?',
      answer.challengeId,
    );
    if (!challenge || challenge.email !== normaliseEmailAddress(answer.email))
      return createInvalidCodeRefusal('This sign-in is not known. Start again to get a new code.');
    const expiry = findChallengeProblem(world, challenge);
    if (expiry !== null) return createInvalidCodeRefusal(expiry);
    if (!areDigestsEqual(challenge.digest, hashSha256Hex(`${challenge.challengeId}.${answer.code}`)))
      return recordWrongCode(world, challenge);
    return completeSignIn(world, challenge);
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
};

const referrerRow = z.object({ userId: z.string(), name: z.string().nullable() });

/** Returns the person with this referral code, or null. */
export const findReferrerByCode = ({ db }: World, code: string): z.infer<typeof referrerRow> | null =>
  selectFirstRow(db, referrerRow, 'SELECT userId, name FROM people WHERE referralCode = ? AND deletedAt IS NULL', code);

export const countReferredPeople = ({ db }: World, userId: string): number =>
  selectFirstRow(db, countRow, 'SELECT COUNT(*) AS n FROM people WHERE referredBy = ?', userId)?.n ?? 0;

/**
 * Creates an account through a referral link. Does nothing if the account already exists, so that the caller cannot
 * find out whether it exists.
 */
export const createReferredAccount = (world: World, userId: string, email: string): void =>
  runInTransaction(world.db, () => {
    if (findPersonByEmail(world, email)) return;
    const joined = createFreeAccount(world, email, null);
    runStatement(world.db, 'UPDATE people SET referredBy = ? WHERE userId = ?', userId, joined.userId);
    recordJournalEffect(world, 'joined', { userId, joined: joined.userId });
    addPersonNotification(world, userId, { kind: 'account', text: 'A friend joined with your link.' });
  });

/**
 * Sets a new password. If the account already had a password, revokes the keys that were created with sign-in codes.
 */
export const resetAccountPassword = (world: World, userId: string): { ended: string[] } =>
  runInTransaction(world.db, () => {
    const { hasPassword } = requirePersonById(world, userId);
    const ended = hasPassword ? listLiveKeys(world, userId).filter(({ madeBy }) => madeBy === 'code') : [];
    for (const key of ended) revokeAssistantKey(world, key);
    runStatement(world.db, 'UPDATE people SET hasPassword = 1 WHERE userId = ?', userId);
    recordJournalEffect(world, 'account', { userId, what: hasPassword ? 'password_reset' : 'first_password' });
    return { ended: ended.map(({ keyId }) => keyId) };
  });

/** Deletes an account, revokes its keys and blocks its e-mail address for ever. */
export const deletePersonAccount = (world: World, userId: string): { ended: string[] } =>
  runInTransaction(world.db, () => {
    const ended = listLiveKeys(world, userId);
    for (const key of ended) revokeAssistantKey(world, key);
    runStatement(
      world.db,
      'UPDATE people SET deletedAt = ?, renewsAt = NULL WHERE userId = ?',
      world.clock.now(),
      userId,
    );
    recordJournalEffect(world, 'account', { userId, what: 'deleted' });
    return { ended: ended.map(({ keyId }) => keyId) };
  });
