import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Clock, Secrets } from '../base/ports.ts';
import { createProblem } from '../base/problem.ts';
import { hiddenCharacter } from '../../text/escapes.ts';
import type { ProofStore } from './proofStore.ts';

const secretName = 'person-pin';
const [blockSize, parallelism, hashBytes] = [8, 1, 32];
const storedPin = z.strictObject({ salt: z.string(), hash: z.string(), cost: z.int() });

const runScrypt = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

/** Normalised, so that a keyboard that composes letters in another way gives the same PIN. */
const hashPin = (pin: string, salt: Buffer, cost: number): Promise<Buffer> =>
  runScrypt(pin.normalize('NFKC'), salt, hashBytes, {
    ...{ N: cost, r: blockSize, p: parallelism },
    maxmem: 256 * cost * blockSize,
  });

/** The cost of a PIN's hash: about a third of a second. */
export const usualPinCost = 2 ** 17;

const minPinLength = 6;
const maxPinLength = 200;
const freeAttempts = 5;
const minuteMs = 60_000;
const waitsMs = [1, 5, 15, 60].map((minutes) => minutes * minuteMs);

/** Returns the wait after this many wrong PINs. */
const getWaitMs = (wrong: number): number =>
  wrong < freeAttempts ? 0 : (waitsMs[Math.min(wrong - freeAttempts, waitsMs.length - 1)] ?? 0);

const requireGoodPin = (pin: string): void => {
  const { length } = [...pin];
  if (length < minPinLength || length > maxPinLength || new Set(pin).size < 2)
    throw createProblem('PIN_TOO_SHORT', { field: 'pin' });
  if (hiddenCharacter.test(pin)) throw createProblem('PIN_HIDDEN_CHARACTER', { field: 'pin' });
};

export type Pin = {
  /** Throws PIN_TOO_SHORT or PIN_HIDDEN_CHARACTER. */
  set: (pin: string) => Promise<Secrets['kind']>;
  /** Throws PIN_WAITS, PIN_WRONG or PIN_GONE. */
  require: (pin: string) => Promise<void>;
  remove: () => Promise<void>;
  /** Returns the ms until the next PIN may be tried. */
  waitLeftMs: () => number;
};

type PinContext = {
  secrets: Secrets;
  store: ProofStore;
  clock: Pick<Clock, 'elapsedMs'>;
  cost: number;
  /** Called when wrong PINs start a wait. */
  onWait: (wrong: number, waitMs: number) => void;
};

/**
 * Checks the PIN. A wait is measured in elapsed time and starts again after a restart, so that neither a restart nor a
 * clock change shortens it.
 */
export const createPin = ({ secrets, store, clock, cost, onWait }: PinContext): Pin => {
  let waitsUntilMs = clock.elapsedMs() + store.read().pinAttempts.waitMs;
  let last: Promise<unknown> = Promise.resolve();
  const waitLeftMs = (): number => Math.max(0, waitsUntilMs - clock.elapsedMs());

  /** The attempt is stored before the check, so that ending the companion during the check gives no free attempt. */
  const noteAttempt = (): number => {
    const wrong = store.read().pinAttempts.wrong + 1;
    const waitMs = getWaitMs(wrong);
    store.change({ pinAttempts: { wrong, waitMs } });
    waitsUntilMs = clock.elapsedMs() + waitMs;
    return wrong;
  };
  const noteSuccess = (): void => {
    store.change({ pinAttempts: { wrong: 0, waitMs: 0 } });
    waitsUntilMs = clock.elapsedMs();
  };

  const requirePin = async (pin: string): Promise<void> => {
    if (waitLeftMs() > 0) throw createProblem('PIN_WAITS', { retryAfterS: Math.ceil(waitLeftMs() / 1_000) });
    const secret = await secrets.get(secretName);
    if (secret === null) throw createProblem('PIN_GONE');
    const stored = storedPin.parse(JSON.parse(secret));
    const wrong = noteAttempt();
    const hash = await hashPin(pin, Buffer.from(stored.salt, 'base64'), stored.cost);
    if (timingSafeEqual(hash, Buffer.from(stored.hash, 'base64'))) return noteSuccess();
    if (getWaitMs(wrong) > 0) onWait(wrong, getWaitMs(wrong));
    throw createProblem('PIN_WRONG');
  };

  return {
    waitLeftMs,
    set: async (pin) => {
      requireGoodPin(pin);
      const salt = randomBytes(16);
      const hash = await hashPin(pin, salt, cost);
      const stored = { salt: salt.toString('base64'), hash: hash.toString('base64'), cost };
      await secrets.set(secretName, JSON.stringify(stored));
      store.change({ pin: secrets.kind });
      noteSuccess();
      return secrets.kind;
    },
    // One check after another, so that parallel attempts cannot pass the same wait.
    require: (pin) => {
      const checked = last.then(() => requirePin(pin));
      last = checked.catch(() => undefined);
      return checked;
    },
    remove: async () => {
      // The store decides, so the PIN no longer counts even if the keychain cannot be changed.
      store.change({ pin: null });
      await secrets.remove(secretName);
    },
  };
};
