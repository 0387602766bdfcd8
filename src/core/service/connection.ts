import * as z from 'zod';
import type { Secrets } from '../base/ports.ts';
import { createProblem, Problem, createProblemText, type ProblemText } from '../base/problem.ts';
import { computeKeyFingerprint, type ServiceClient } from './serviceClient.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { parseTrustedInput, parseRouteInput } from '../../contract/index.ts';

/** `account` names a person at a service. Earlier versions did not store `print`, the fingerprint of the key. */
const storedConnection = z.object({
  account: z.string(),
  userId: z.string(),
  email: z.string().nullable(),
  print: z.string().optional(),
});
type ConnectedPerson = z.infer<typeof storedConnection>;

/** The address itself is forgotten with the connection. */
const storedLastPerson = z.object({ userId: z.string(), emailHash: z.string().nullable() });
type LastPerson = z.infer<typeof storedLastPerson>;

const hashEmail = (email: string): string => createHash('sha256').update(email.trim().toLowerCase()).digest('hex');

const toLastPerson = ({ userId, email }: ConnectedPerson): LastPerson => ({
  userId,
  emailHash: email === null ? null : hashEmail(email),
});

/**
 * Returns whether a code sent to this address can reconnect the last person, whose key no longer works. A program gains
 * no further access from such a code.
 */
export const canReconnect = ({ state, lastPerson }: Connection, email: string): boolean =>
  state() !== 'connected' && lastPerson()?.emailHash === hashEmail(email);

export type Connection = {
  who: () => ConnectedPerson | null;
  key: () => Promise<string | null>;
  /** Returns '' if there is no key. */
  keyPrint: () => string;
  state: () => 'none' | 'connected' | 'reconnect';
  /** Returns the connected person, or the last one, whose data are still here; null if no person was connected. */
  lastPerson: () => LastPerson | null;
  /** Throws `NOT_CONNECTED`. */
  account: () => string;
  /** Records that the service rejects the key. */
  markKeyDead: () => void;
  /** Sets the function that replaces a missing key when a request first needs it. */
  setRenewal: (renew: () => Promise<void>) => void;
  /** Returns false and changes nothing if `isWanted` returns false when the save begins. */
  save: (userId: string, email: string | null, apiKey: string, isWanted?: () => boolean) => Promise<boolean>;
  connectionNumber: () => number;
  /**
   * Forgets the connection with this number. Returns false and changes nothing if another connection has replaced it.
   */
  forget: (which: number) => Promise<boolean>;
};

type Parts = {
  settings: SettingsTable;
  secrets: Secrets;
  /** The service's name in stored rows: `practice`, or its address. */
  service: string;
  /** Runs a change and adds its ledger row in one transaction. */
  record: (kind: string, facts: Record<string, unknown>, change: () => void) => void;
};

/** Creates the renewer of the key. All callers share one attempt, and a failed attempt is not repeated. */
const createKeyRenewer = () => {
  let make: (() => Promise<void>) | null = null;
  return {
    isLeft: () => make !== null,
    made: async (): Promise<void> => make?.(),
    set: (renew: () => Promise<void>): void => {
      let made: Promise<void> | null = null;
      make = () => (made ??= renew().finally(() => (make = null)));
    },
  };
};

/**
 * Returns the key from the keychain, or null if it is not the key of `who`: after a backup is restored, the keychain
 * can have the key of another person.
 */
const findMatchingKey = async (
  who: ConnectedPerson | null,
  fromKeychain: () => Promise<string | null>,
): Promise<string | null> => {
  const key = who === null ? null : await fromKeychain();
  if (key === null || who?.print === undefined) return key;
  return computeKeyFingerprint(key) === who.print ? key : null;
};

type SaveArguments = Parameters<Connection['save']>;

/**
 * Changes run one after another, because keychains are slow and a second change could start before the first one ends.
 */
const createSequence = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(change: () => Promise<T>): Promise<T> => {
    const made = last.then(change);
    last = made.catch(() => undefined);
    return made;
  };
};

/** Opens the stored connection. The key exists only in the keychain and in this closure. */
export const openServiceConnection = async ({ settings, secrets, service, record }: Parts): Promise<Connection> => {
  const name = `connection ${service}`;
  const lastName = `last connection ${service}`;
  const secretName = `agent-key ${service}`;
  let who = settings.read(name, storedConnection);
  let key = await findMatchingKey(who, () => secrets.get(secretName));
  let print = key === null ? '' : computeKeyFingerprint(key);
  let dead = false;
  let saved = 0;
  const renewal = createKeyRenewer();
  const runSequentially = createSequence();

  const saveConnection = async ([userId, email, apiKey, isWanted]: SaveArguments): Promise<boolean> => {
    if (isWanted?.() === false) return false;
    // The service shows the key only once, so store it before any other step can fail.
    await secrets.set(secretName, apiKey);
    saved += 1;
    key = apiKey;
    print = computeKeyFingerprint(apiKey);
    dead = false;
    const before = who?.account ?? null;
    const now = { account: `${service}#${userId}`, userId, email, print };
    const { account } = now;
    const kind = before === null ? 'made' : before === account ? 'renewed' : 'changed';
    who = now;
    record(`connection.${kind}`, { account, ...(kind === 'changed' ? { before } : {}) }, () =>
      settings.write(name, now),
    );
    return true;
  };

  const forgetConnection = async (which: number): Promise<boolean> => {
    if (which !== saved) return false;
    await secrets.remove(secretName);
    const removeStoredConnection = (): void => settings.remove(name);
    if (who) {
      settings.write(lastName, toLastPerson(who));
      record('connection.forgotten', { account: who.account }, removeStoredConnection);
    } else removeStoredConnection();
    who = null;
    key = null;
    print = '';
    dead = false;
    return true;
  };

  return {
    who: () => who,
    key: async () => key ?? renewal.made().then(() => key),
    keyPrint: () => print,
    state: () => (who === null ? 'none' : (key === null && !renewal.isLeft()) || dead ? 'reconnect' : 'connected'),
    lastPerson: () => (who === null ? settings.read(lastName, storedLastPerson) : toLastPerson(who)),
    account: () => {
      if (!who) throw createProblem('NOT_CONNECTED');
      return who.account;
    },
    markKeyDead: () => void (dead = true),
    setRenewal: renewal.set,
    save: (...given) => runSequentially(() => saveConnection(given)),
    connectionNumber: () => saved,
    forget: (which) => runSequentially(() => forgetConnection(which)),
  };
};

/** The form of a bearer token. Other text from the clipboard is never sent. */
const keyShape = /^[\w.~+/-]{16,500}=*$/;

/** Connects with a key from the web settings. The key never appears in an error. Throws `NO_KEY`, `KEY_REFUSED`. */
export const connectWithKey = async (
  clientOf: (key: string) => ServiceClient,
  save: Connection['save'],
  given: string,
): Promise<void> => {
  const key = given.trim();
  if (!keyShape.test(key)) throw createProblem('NO_KEY', { field: 'key' });
  const { answer } = await clientOf(key)
    .send('readAccount', parseTrustedInput('readAccount', {}))
    .catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'RECONNECT_NEEDED')
        throw createProblem('KEY_REFUSED', { field: 'key' });
      throw error;
    });
  await save(answer.userId, answer.email ?? null, key);
};

/** Requests a sign-in code. Only a new account needs `name`. Throws `INVALID_EMAIL`. */
export const startSignIn = async (client: ServiceClient, email: string, name = '') => {
  const parsed = parseRouteInput('startSignIn', {
    body: {
      email: email.trim(),
      agentLabel: `Listing Companion on ${hostname()}`.slice(0, 100),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
    },
  });
  if (!parsed.ok) throw new Problem('INVALID_EMAIL', parsed.problem.message, { field: 'email' });
  const { answer } = await client.send('startSignIn', parsed.input);
  const findAnswerLink = (...names: string[]): string | null => {
    const found = names
      .map((name) => answer[name])
      .find((value) => typeof value === 'string' && /^https?:\/\//.test(value));
    return typeof found === 'string' ? found : null;
  };
  return {
    challengeId: answer.challengeId,
    termsUrl: findAnswerLink('termsUrl', 'terms', 'termsLink'),
    privacyUrl: findAnswerLink('privacyUrl', 'privacy', 'privacyLink'),
  };
};

const findCompanionText = (code: string, theirs: string): ProblemText | null => {
  // Only the text of the service's error says whether any attempts are left.
  if (code === 'INVALID_CODE')
    return createProblemText(saysCodeIsUsedUp(theirs) ? 'INVALID_CODE.usedUp' : 'INVALID_CODE.wrong');
  return code === 'AGENT_KEY_LIMIT' || code === 'ACCOUNT_BUSY' || code === 'ACCOUNT_UNAVAILABLE'
    ? createProblemText(code)
    : null;
};

/** Exchanges the code for the key and stores the key. The key never appears in an error. */
export const verifySignIn = async (
  client: ServiceClient,
  save: Connection['save'],
  given: { challengeId: string; email: string; code: string },
): Promise<void> => {
  const body = { challengeId: given.challengeId, email: given.email.trim(), code: given.code.replace(/\s/g, '') };
  const parsed = parseRouteInput('verifySignIn', { body });
  if (!parsed.ok) throw new Problem('INVALID_CODE', parsed.problem.message, { field: parsed.problem.field });
  const { answer } = await client.send('verifySignIn', parsed.input).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    const text = findCompanionText(error.code, error.message) ?? { sentence: error.message, says: error.says };
    throw new Problem(error.code, text.sentence, {
      says: text.says,
      field: 'code',
      ...(error.retryAfterS === undefined ? {} : { retryAfterS: error.retryAfterS }),
    });
  });
  await save(answer.userId, body.email, answer.apiKey);
};

const saysCodeIsUsedUp = (sentence: string): boolean => /used up|start again|restart/i.test(sentence);
