import type * as keytarTypes from 'keytar';
import * as z from 'zod';
import { problem } from '../core/base/problem.ts';
import type { Secrets } from '../core/base/ports.ts';
import type { Options } from './options.ts';
import { formatEnglish } from '../i18n/english.ts';
import { message, type Message } from '../i18n/message.ts';

const appName = 'Listing Companion';
/** Unlocking a keychain may take the person a while, but a keychain that never answers must not block the start. */
const answerTimeoutMs = 20_000;

type Keytar = Pick<typeof keytarTypes, 'getPassword' | 'setPassword' | 'deletePassword' | 'findCredentials'>;

/** keytar is CommonJS: Node's own loader puts its functions on `default`. */
const keytarShape = z.custom<Keytar>(
  (value) => z.looseObject({ getPassword: z.unknown(), setPassword: z.unknown() }).safeParse(value).success,
);

const thisRunOnly = message('notices.thisRunOnly');

/** The first matching pattern determines the cause. The keychain's own bus name comes before general D-Bus errors. */
const causes = [
  [/org\.freedesktop\.secrets|ServiceUnknown|was not provided/i, 'absent'],
  [/collection|locked|does not exist|dismissed|prompt/i, 'locked'],
  [/no answer/, 'silent'],
  [/autolaunch|D-?Bus|could not connect/i, 'noBus'],
] as const satisfies readonly (readonly [RegExp, string])[];

const causeOf = (error: unknown) => {
  const text = error instanceof Error ? error.message : '';
  return `KEYCHAIN_FAILED.${causes.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'}` as const;
};

/** Creates secrets that last only as long as this process. */
const memorySecrets = (reason?: Message): Secrets => {
  const kept = new Map<string, string>();
  return {
    kind: 'memory',
    ...(reason === undefined ? {} : { problem: formatEnglish(reason), says: reason }),
    get: async (name) => kept.get(name) ?? null,
    set: async (name, value) => {
      kept.set(name, value);
    },
    remove: async (name) => {
      kept.delete(name);
    },
  };
};

const withTimeout = async <T>(work: Promise<T>): Promise<T> => {
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

/** Writes, reads and removes a probe, because only a write shows whether a keyring exists and is unlocked. */
const probe = async (keytar: Keytar, service: string): Promise<void> => {
  const name = `probe-${process.pid}`;
  await withTimeout(keytar.setPassword(service, name, 'probe'));
  const read = await withTimeout(keytar.getPassword(service, name));
  await withTimeout(keytar.deletePassword(service, name));
  if (read !== 'probe') throw new Error('The keychain does not keep what is written.');
};

const described = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw problem(causeOf(error), { cause: error });
  }
};

const systemSecrets = (keytar: Keytar, service: string): Secrets => ({
  kind: 'system',
  get: (name) => described(() => keytar.getPassword(service, name)),
  set: (name, value) => described(() => keytar.setPassword(service, name, value)),
  remove: (name) =>
    described(async () => {
      await keytar.deletePassword(service, name);
    }),
});

const loadKeytar = async (): Promise<Keytar | null> => {
  try {
    const loaded: { default?: unknown } = await import('keytar');
    return keytarShape.parse(loaded.default ?? loaded);
  } catch {
    return null;
  }
};

/** Returns the keychain service name of a data folder. A folder that the person named has its own. */
export const keychainService = ({ dataDir, ownData }: { dataDir: string; ownData: boolean }): string =>
  ownData ? `${appName} (${dataDir})` : appName;

/** Returns the keychain service name for the tokens of a data folder's assistants. */
export const assistantsService = (place: { dataDir: string; ownData: boolean }): string =>
  `${keychainService(place)} assistants`;

/**
 * Opens the system's keychain. If it is absent, locked or does not answer, secrets are kept in memory and `problem`
 * tells the person so. Secrets are never written to a file.
 */
export const openKeychain = async (wanted: { kind: 'system' | 'memory'; service?: string }): Promise<Secrets> => {
  if (wanted.kind === 'memory') return memorySecrets();
  const keytar = await loadKeytar();
  if (keytar === null) {
    const why = process.platform === 'linux' ? 'notices.libsecretMissing' : 'notices.keychainMissing';
    return memorySecrets(message(why, { then: thisRunOnly }));
  }
  const service = wanted.service ?? appName;
  try {
    await probe(keytar, service);
    return systemSecrets(keytar, service);
  } catch (error) {
    const why = message(`problems.${causeOf(error)}`);
    return memorySecrets(message('notices.keychainUnused', { why, then: thisRunOnly }));
  }
};

/**
 * Removes every secret of a data folder from the system's keychain: the companion's own and the tokens of assistants.
 * Throws `KEYCHAIN_FAILED`.
 */
export const clearKeychain = async (place: Pick<Options, 'dataDir' | 'ownData' | 'keychain'>): Promise<void> => {
  const keytar = place.keychain === 'memory' ? null : await loadKeytar();
  if (keytar === null) return;
  for (const service of [keychainService(place), assistantsService(place)]) {
    const kept = await described(() => withTimeout(keytar.findCredentials(service)));
    for (const { account } of kept) await described(() => withTimeout(keytar.deletePassword(service, account)));
  }
};
