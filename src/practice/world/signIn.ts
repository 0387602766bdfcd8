import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { limits } from '../../contract/index.ts';
import { hourMs } from '../clock.ts';
import { all, atomically, one, run } from '../database.ts';
import { newId, sameDigest, sha256 } from '../ids.ts';
import { Refusal, refuse, retryAfter } from '../refusal.ts';
import { createKey } from './keys.ts';
import { sendMail } from './outbox.ts';
import { createPerson, normalEmail, personByEmail } from './people.ts';
import type { World } from './world.ts';

/** How many codes go to one address in an hour. */
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

/** Refuses another code to an address that had its share of this hour. */
const refuseTooMany = ({ db, clock }: World, email: string): void => {
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

/** Mails a code. The answer is the same whether or not there is an account. */
export const startSignIn = (world: World, start: SignInStart): { challengeId: string } =>
  atomically(world.db, () => {
    const email = normalEmail(start.email);
    refuseTooMany(world, email);
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
    sendMail(world, personByEmail(world, email)?.userId ?? null, {
      to: email,
      subject: `${code} is your sign-in code`,
      text: `"${start.agentLabel}" asks to be connected to your account. The code is ${code}. It works once, for ${lifeMs / 60_000} minutes. If you did not ask for it, do nothing.`,
      code,
    });
    return { challengeId };
  });

const usedUp = 'This sign-in is used up. Start again to get a new code.';
const invalid = (sentence: string): Refusal => new Refusal(400, sentence, { code: 'INVALID_CODE' });

/** Why a challenge cannot be answered any more, if so. */
const over = ({ clock }: World, challenge: Challenge): string | null => {
  if (challenge.usedAt !== null) return 'This code was already used. Start again to get a new one.';
  if (challenge.tries >= limits.signInCode.tries) return usedUp;
  if (clock.now() - challenge.createdAt >= limits.signInCode.lifeMs)
    return 'This code has expired. Start again to get a new one.';
  return null;
};

type SignedIn = { apiKey: string; keyId: string; userId: string; accountCreated: boolean };

const signIn = (world: World, challenge: Challenge): SignedIn => {
  run(world.db, 'UPDATE challenges SET usedAt = ? WHERE challengeId = ?', world.clock.now(), challenge.challengeId);
  const known = personByEmail(world, challenge.email);
  if (known && known.deletedAt !== null)
    refuse(409, 'This address cannot be used: its account was deleted.', 'ACCOUNT_UNAVAILABLE');
  const person = known ?? createPerson(world, challenge.email, challenge.name);
  return { ...createKey(world, person.userId, challenge.label, 'code'), userId: person.userId, accountCreated: !known };
};

/** Counts a wrong try, which must be kept although the call is refused. */
const wrong = (world: World, challenge: Challenge): Refusal => {
  run(world.db, 'UPDATE challenges SET tries = tries + 1 WHERE challengeId = ?', challenge.challengeId);
  const left = limits.signInCode.tries - challenge.tries - 1;
  return invalid(left > 0 ? `This code is not right. ${left} more ${left === 1 ? 'try' : 'tries'}.` : usedUp);
};

/** Exchanges a code for a key; makes the account when there is none. */
export const verifySignIn = (world: World, given: { challengeId: string; email: string; code: string }): SignedIn => {
  const outcome = atomically(world.db, (): SignedIn | Refusal => {
    const challenge = one(world.db, challengeRow, 'SELECT * FROM challenges WHERE challengeId = ?', given.challengeId);
    if (!challenge || challenge.email !== normalEmail(given.email))
      return invalid('This sign-in is not known. Start again to get a new code.');
    const ended = over(world, challenge);
    if (ended !== null) return invalid(ended);
    if (!sameDigest(challenge.digest, sha256(`${challenge.challengeId}.${given.code}`))) return wrong(world, challenge);
    return signIn(world, challenge);
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
};
