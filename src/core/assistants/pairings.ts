import { hash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Changed, Clock } from '../base/ports.ts';
import { getDisplayDeadline, type StoredAgeTracker } from '../base/storedAges.ts';
import { createProblem } from '../base/problem.ts';
import type { AccessLog } from '../storage/accessLog.ts';
import type { Db } from '../storage/database.ts';
import type { PairingView } from './assistant.ts';
import type { PairingAccess, PairingRow, PairingsTable } from '../storage/tables/assistantsTable.ts';

const pairingLifetimeMs = 10 * 60_000;
const maxWaiting = 5;

export const hashWithSha256 = (text: string): string => hash('sha256', text);
/** Compares two SHA-256 hashes, in hex, in constant time. */
const areHashesEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

/** Creates an assistant token of 256 random bits. */
export const createAssistantToken = (): string => `lct_${randomBytes(32).toString('base64url')}`;

type Parts = {
  db: Db;
  table: PairingsTable;
  clock: Clock;
  ages: StoredAgeTracker;
  changed: Changed;
  /** Ended pairings are recorded outside the database, so that a restored backup cannot reopen them. */
  access: AccessLog;
  admit: (name: string, tokenSha256: string, access: PairingAccess | null) => void;
  record: (kind: string, facts: Record<string, unknown>) => void;
};

type PairingsContext = Parts & { waiting: () => PairingRow[] };

const decidePairing = (
  { db, table, changed, access, record, waiting }: PairingsContext,
  pairingId: string,
  state: 'accepted' | 'refused',
  chosen: PairingAccess | null,
): void => {
  if (!waiting().some((one) => one.pairing_id === pairingId)) throw createProblem('PAIRING_OVER');
  if (state === 'refused') access.end(pairingId);
  db.transaction(() => {
    const name = table.decide(pairingId, state, chosen);
    if (name === null) throw createProblem('PAIRING_OVER');
    record(`pairing.${state}`, { pairingId, name });
  })();
  changed('assistants');
};

const getRemainingMs = ({ ages }: Pick<Parts, 'ages'>, { pairing_id: id, asked_at: askedAt }: PairingRow): number =>
  pairingLifetimeMs - ages.ageMs(id, askedAt);

/**
 * Ends accepted pairings whose token was not collected in time. The access log records them, so that a restored backup
 * cannot reopen them.
 */
const endExpiredPairings = (own: PairingsContext): void => {
  const { table, access } = own;
  const rows = table.uncollected().filter((one) => one.state === 'accepted' && getRemainingMs(own, one) <= 0);
  access.end(...rows.filter((one) => !access.isPairingOver(one.pairing_id, one.asked_at)).map((one) => one.pairing_id));
};

const createPairingRequest = (own: PairingsContext, name: string) => {
  const { table, clock, ages, changed } = own;
  if (own.waiting().length >= maxWaiting) {
    throw createProblem('TOO_MANY_PAIRINGS', {
      retryAfterS: 60,
    });
  }
  const pairingId = `pa_${randomUUID()}`;
  const pairingSecret = randomBytes(32).toString('base64url');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const askedAt = clock.now();
  const expiresAt = askedAt + pairingLifetimeMs;
  endExpiredPairings(own);
  const row = { pairing_id: pairingId, name, code, secret_sha256: hashWithSha256(pairingSecret), asked_at: askedAt };
  // Remove requests that expired long ago, so that a client cannot fill the table.
  const over = table.uncollected().filter((one) => getRemainingMs(own, one) < -pairingLifetimeMs);
  ages.note(pairingId);
  table.add(
    { ...row, expires_at: expiresAt },
    over.map((one) => one.pairing_id),
  );
  changed('assistants');
  return { pairingId, pairingSecret, code, expiresAt };
};

/** Only a client that knows the secret gets the state, and only the first poll after acceptance returns the token. */
const pollPairingState = (
  own: PairingsContext,
  pairingId: string,
  secret: string,
): { state: string; token?: string } => {
  const { db, table, changed, access, admit } = own;
  const found = table.find(pairingId);
  if (!found || !areHashesEqual(found.secret_sha256, hashWithSha256(secret))) throw createProblem('NOT_FOUND.pairing');
  if (found.state === 'accepted' && getRemainingMs(own, found) <= 0) {
    endExpiredPairings(own);
    return { state: 'expired' };
  }
  if (found.state !== 'collected' && access.isPairingOver(pairingId, found.asked_at)) return { state: 'refused' };
  if (found.state === 'waiting') return { state: getRemainingMs(own, found) > 0 ? 'waiting' : 'expired' };
  if (found.state !== 'accepted') return { state: found.state === 'collected' ? 'accepted' : found.state };
  const token = createAssistantToken();
  access.end(pairingId);
  db.transaction(() => {
    table.collect(pairingId);
    admit(found.name, hashWithSha256(token), found.access);
  })();
  changed('assistants');
  return { state: 'accepted', token };
};

export type PairingService = ReturnType<typeof createPairingService>;

/** Creates the pairing flow. The person compares codes, and then the client collects its token once. */
export const createPairingService = (parts: Parts) => {
  const { table, clock, access } = parts;
  const waiting = () =>
    table
      .waiting()
      .filter((one) => getRemainingMs(parts, one) > 0 && !access.isPairingOver(one.pairing_id, one.asked_at));
  const own: PairingsContext = { ...parts, waiting };

  return {
    requestPairing: (name: string) => createPairingRequest(own, name),
    poll: (pairingId: string, secret: string) => pollPairingState(own, pairingId, secret),
    /** Returns an empty list if there is no such pairing. */
    secretHashes: (pairingId: string): string[] => {
      const found = table.find(pairingId);
      return found ? [found.secret_sha256] : [];
    },
    accept: (pairingId: string, chosen: PairingAccess | null = null) =>
      decidePairing(own, pairingId, 'accepted', chosen),
    refuse: (pairingId: string) => decidePairing(own, pairingId, 'refused', null),
    /** Ends the uncollected pairings, because they belong to another account. */
    end: (): void => {
      access.end(...table.open());
      table.closeOpen();
    },
    views: (): Omit<PairingView, 'nameLike'>[] =>
      waiting().map((one) => ({
        pairingId: one.pairing_id,
        name: one.name,
        code: one.code,
        askedAt: one.asked_at,
        expiresAt: getDisplayDeadline(one.expires_at, getRemainingMs(parts, one), clock.now()),
      })),
  };
};

export const createAssistantId = (): string => `as_${randomUUID()}`;
