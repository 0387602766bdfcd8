import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFileSync } from '../../disk/changeFiles.ts';
import { writeWholeSync } from '../../disk/writeWhole.ts';
import type { Log } from '../base/ports.ts';
import { relaxedTimes, type ProofKind } from './proof.ts';

const passkeyShape = z.strictObject({
  credentialId: z.string(),
  /** The COSE key in base64url. */
  publicKey: z.string(),
  counter: z.int().min(0),
  transports: z.array(z.string()),
  label: z.string(),
  addedAt: z.int(),
});
export type Passkey = z.infer<typeof passkeyShape>;

const storedProofs = z.strictObject({
  passkeys: z.array(passkeyShape),
  hasSystemPrompt: z.boolean(),
  /** The hash of the PIN is in the keychain. A PIN in memory is lost when the companion stops. */
  pin: z.enum(['system', 'memory']).nullable(),
  /** Wrong PINs since the last right one, and the wait that follows the last of them. */
  pinAttempts: z.strictObject({ wrong: z.int().min(0), waitMs: z.int().min(0) }),
  recoveryStartedAt: z.int().nullable(),
  /** How long the companion has run since the start of the recovery. */
  recoveryRanMs: z.int().min(0).default(0),
  /** The start of the recovery by the clock of the service; null if it is unknown. */
  recoveryService: z.strictObject({ service: z.string(), at: z.int() }).nullable().default(null),
  /** How long after a proof the person's own acts need no further proof. */
  relaxedMinutes: z.literal(relaxedTimes).default(0),
  /** True if an earlier file was lost: a proof was set up, and only a recovery removes it. */
  isLost: z.boolean(),
});
export type StoredProofs = z.infer<typeof storedProofs>;

export const noProofs: StoredProofs = {
  passkeys: [],
  hasSystemPrompt: false,
  pin: null,
  pinAttempts: { wrong: 0, waitMs: 0 },
  recoveryStartedAt: null,
  recoveryRanMs: 0,
  recoveryService: null,
  relaxedMinutes: 0,
  isLost: false,
};

/** Returns the kinds of proof that count. A PIN counts only if nothing stronger is set up. */
export const listProofKinds = ({ passkeys, hasSystemPrompt, pin }: StoredProofs): ProofKind[] => {
  const strong = [
    ...(passkeys.length > 0 ? ['passkey' as const] : []),
    ...(hasSystemPrompt ? ['system' as const] : []),
  ];
  return strong.length > 0 || pin === null ? strong : ['pin'];
};

/** Returns the path of the file with the person's proofs, which no backup contains. */
const getProofsPath = (dataDir: string): string => join(dataDir, 'person-proofs.json');

/** Returns whether a proof is set up in a data folder whose companion does not run. */
export const isProofStored = (dataDir: string): boolean => {
  const file = getProofsPath(dataDir);
  if (!existsSync(file)) return false;
  const stored = parseProofs(readFileSync(file, 'utf8'));
  return stored === null || isLastingProof(stored);
};

/** A PIN in memory is lost when the companion stops. */
const isLastingProof = ({ isLost, pin, ...stored }: StoredProofs): boolean =>
  isLost || listProofKinds({ ...stored, isLost, pin: pin === 'memory' ? null : pin }).length > 0;

export type ProofStore = {
  read: () => StoredProofs;
  change: (changes: Partial<StoredProofs>) => void;
};

type ProofStoreContext = {
  dataDir: string;
  log: Log;
  now: () => number;
  /** Returns whether a proof is set up according to other places, so that a missing file is noticed. */
  isProofExpected: () => boolean;
  noteSetUp: (isSetUp: boolean) => void;
  /** Called before the store forgets a PIN of an earlier run that was only in memory. */
  onPinEnded: () => void;
};

const parseProofs = (text: string): StoredProofs | null => {
  try {
    return storedProofs.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

const readStoredProofs = (file: string, { log, now, isProofExpected }: ProofStoreContext): StoredProofs => {
  if (!existsSync(file)) {
    if (!isProofExpected()) return noProofs;
    log('error', 'the file with the proofs of the person is missing');
    return { ...noProofs, isLost: true };
  }
  const read = parseProofs(readFileSync(file, 'utf8'));
  if (read !== null) {
    if (listProofKinds(read).length > 0 || !isProofExpected()) return read;
    log('error', 'the file with the proofs of the person was emptied');
    return { ...read, isLost: true, relaxedMinutes: 0 };
  }
  log('error', 'the file with the proofs of the person is damaged');
  replaceFileSync(file, `${file}.damaged-${now()}`);
  return { ...noProofs, isLost: true };
};

/** Opens the store beside the access log. It never forgets that a proof was set up because a file is gone or emptied. */
export const openProofStore = (context: ProofStoreContext): ProofStore => {
  const file = getProofsPath(context.dataDir);
  let stored = readStoredProofs(file, context);
  const change = (changes: Partial<StoredProofs>): void => {
    const next = { ...stored, ...changes };
    writeWholeSync(file, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600, isSynced: true });
    if (isLastingProof(next) !== isLastingProof(stored)) context.noteSetUp(isLastingProof(next));
    stored = next;
  };
  // A PIN without a keychain was lost when its run stopped.
  if (stored.pin === 'memory') {
    context.onPinEnded();
    change({ pin: null });
  }
  if (stored.isLost && !existsSync(file)) change({});
  if (isLastingProof(stored)) context.noteSetUp(true);
  return { read: () => stored, change };
};
