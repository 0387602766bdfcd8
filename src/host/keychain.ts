import type * as keytarTypes from 'keytar';
import * as z from 'zod';
import { createProblem } from '../core/base/problem.ts';
import type { Secrets } from '../core/base/ports.ts';
import type { Options } from './options.ts';
import { formatEnglishMessage } from '../i18n/english.ts';
import { createMessage, type Message } from '../i18n/message.ts';

const appName = 'Listing Companion';
/** The person might need a while to unlock a keychain, but a keychain that never answers must not block the start. */
const answerTimeoutMs = 20_000;

type Keytar = Pick<typeof keytarTypes, 'getPassword' | 'setPassword' | 'deletePassword' | 'findCredentials'>;

/** keytar is a CommonJS module, so Node puts its functions on `default`. */
const keytarShape = z.custom<Keytar>(
  (value) => z.looseObject({ getPassword: z.unknown(), setPassword: z.unknown() }).safeParse(value).success,
);

const thisRunOnly = createMessage('notices.thisRunOnly');

/** The first matching pattern decides, so the name of the keychain's own bus comes before general D-Bus errors. */
const causes = [
  [/org\.freedesktop\.secrets|ServiceUnknown|was not provided/i, 'absent'],
  [/collection|locked|does not exist|dismissed|prompt/i, 'locked'],
  [/no answer/, 'silent'],
  [/autolaunch|D-?Bus|could not connect/i, 'noBus'],
] as const satisfies readonly (readonly [RegExp, string])[];

const toKeychainProblemCode = (error: unknown) => {
  const text = error instanceof Error ? error.message : '';
  return `KEYCHAIN_FAILED.${causes.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'}` as const;
};

const createMemorySecrets = (reason?: Message): Secrets => {
  const kept = new Map<string, string>();
  return {
    kind: 'memory',
    ...(reason === undefined ? {} : { problem: formatEnglishMessage(reason), says: reason }),
    get: async (name) => kept.get(name) ?? null,
    set: async (name, value) => {
      kept.set(name, value);
    },
    remove: async (name) => {
      kept.delete(name);
    },
  };
};

const rejectAfterTimeout = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), answerTimeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

/** Only a write shows whether a keyring exists and is unlocked. */
const probeKeychainWrite = async (keytar: Keytar, service: string): Promise<void> => {
  const name = `probe-${process.pid}`;
  await rejectAfterTimeout(keytar.setPassword(service, name, 'probe'));
  const read = await rejectAfterTimeout(keytar.getPassword(service, name));
  await rejectAfterTimeout(keytar.deletePassword(service, name));
  if (read !== 'probe') throw new Error('The keychain does not keep what is written.');
};

const convertKeychainErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw createProblem(toKeychainProblemCode(error), { cause: error });
  }
};

const createSystemSecrets = (keytar: Keytar, service: string): Secrets => ({
  kind: 'system',
  get: (name) => convertKeychainErrors(() => keytar.getPassword(service, name)),
  set: (name, value) => convertKeychainErrors(() => keytar.setPassword(service, name, value)),
  remove: (name) =>
    convertKeychainErrors(async () => {
      await keytar.deletePassword(service, name);
    }),
});

const loadKeytarModule = async (): Promise<Keytar | null> => {
  try {
    const loaded: { default?: unknown } = await import('keytar');
    return keytarShape.parse(loaded.default ?? loaded);
  } catch {
    return null;
  }
};

/** A folder that the person named has its own service name. */
export const getKeychainServiceName = ({ dataDir, ownData }: { dataDir: string; ownData: boolean }): string =>
  ownData ? `${appName} (${dataDir})` : appName;

export const getAssistantsServiceName = (place: { dataDir: string; ownData: boolean }): string =>
  `${getKeychainServiceName(place)} assistants`;

/**
 * If the keychain cannot be used, secrets are kept in memory, never in a file. `problem` then explains this to the
 * person.
 */
export const openKeychain = async (wanted: { kind: 'system' | 'memory'; service?: string }): Promise<Secrets> => {
  if (wanted.kind === 'memory') return createMemorySecrets();
  const keytar = await loadKeytarModule();
  if (keytar === null) {
    const why = process.platform === 'linux' ? 'notices.libsecretMissing' : 'notices.keychainMissing';
    return createMemorySecrets(createMessage(why, { then: thisRunOnly }));
  }
  const service = wanted.service ?? appName;
  try {
    await probeKeychainWrite(keytar, service);
    return createSystemSecrets(keytar, service);
  } catch (error) {
    const why = createMessage(`problems.${toKeychainProblemCode(error)}`);
    return createMemorySecrets(createMessage('notices.keychainUnused', { why, then: thisRunOnly }));
  }
};

/** Removes the companion's own secrets and the tokens of assistants. Throws `KEYCHAIN_FAILED`. */
export const clearKeychainSecrets = async (place: Pick<Options, 'dataDir' | 'ownData' | 'keychain'>): Promise<void> => {
  const keytar = place.keychain === 'memory' ? null : await loadKeytarModule();
  if (keytar === null) return;
  for (const service of [getKeychainServiceName(place), getAssistantsServiceName(place)]) {
    const kept = await convertKeychainErrors(() => rejectAfterTimeout(keytar.findCredentials(service)));
    for (const { account } of kept)
      await convertKeychainErrors(() => rejectAfterTimeout(keytar.deletePassword(service, account)));
  }
};
