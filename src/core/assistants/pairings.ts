import { hash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Changed, Clock } from '../base/ports.ts';
import { shownDeadline, type StoredAges } from '../base/storedAges.ts';
import { problem } from '../base/problem.ts';
import type { AccessLog } from '../storage/accessLog.ts';
import type { Db } from '../storage/database.ts';
import type { PairingView } from './assistant.ts';
import type { PairingAccess, PairingRow, PairingsTable } from '../storage/tables/assistantsTable.ts';

const lifeMs = 10 * 60_000;
const mostWaiting = 5;

export const sha256 = (text: string): string => hash('sha256', text);
/** Compares two SHA-256 hashes in constant time. */
export const sameHash = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

/** Creates an assistant token of 256 random bits. */
export const newToken = (): string => `lct_${randomBytes(32).toString('base64url')}`;

type Parts = {
  db: Db;
  table: PairingsTable;
  clock: Clock;
  ages: StoredAges;
  changed: Changed;
  /** Records ended pairings outside the database, where a restored backup does not undo them. */
  access: AccessLog;
  /** Stores the paired assistant under its own name with the access that the person chose. */
  admit: (name: string, tokenSha256: string, access: PairingAccess | null) => void;
  /** Records the person's decision in the ledger. */
  record: (kind: string, facts: Record<string, unknown>) => void;
};

type Own = Parts & { waiting: () => PairingRow[] };

const decide = (
  { db, table, changed, access, record, waiting }: Own,
  pairingId: string,
  state: 'accepted' | 'refused',
  chosen: PairingAccess | null,
): void => {
  if (!waiting().some((one) => one.pairing_id === pairingId)) throw problem('PAIRING_OVER');
  if (state === 'refused') access.end(pairingId);
  db.transaction(() => {
    const name = table.decide(pairingId, state, chosen);
    if (name === null) throw problem('PAIRING_OVER');
    record(`pairing.${state}`, { pairingId, name });
  })();
  changed('assistants');
};

/** Returns the remaining time of a pairing in ms; 0 or less once it is over. */
const leftMs = ({ ages }: Pick<Parts, 'ages'>, { pairing_id: id, asked_at: askedAt }: PairingRow): number =>
  lifeMs - ages.ageMs(id, askedAt);

/**
 * Ends accepted pairings whose token was not collected before the deadline. The access log keeps them ended if an older
 * database is restored.
 */
const endUncollected = (own: Own): void => {
  const { table, access } = own;
  const rows = table.uncollected().filter((one) => one.state === 'accepted' && leftMs(own, one) <= 0);
  access.end(...rows.filter((one) => !access.isOver(one.pairing_id, one.asked_at)).map((one) => one.pairing_id));
};

/** Creates a pairing request under the name that the assistant gives itself. Throws `TOO_MANY_PAIRINGS`. */
const ask = (own: Own, name: string) => {
  const { table, clock, ages, changed } = own;
  if (own.waiting().length >= mostWaiting) {
    throw problem('TOO_MANY_PAIRINGS', {
      retryAfterS: 60,
    });
  }
  const pairingId = `pa_${randomUUID()}`;
  const pairingSecret = randomBytes(32).toString('base64url');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const askedAt = clock.now();
  const expiresAt = askedAt + lifeMs;
  endUncollected(own);
  const row = { pairing_id: pairingId, name, code, secret_sha256: sha256(pairingSecret), asked_at: askedAt };
  // Remove long-expired requests so that a flood of them does not accumulate.
  const over = table.uncollected().filter((one) => leftMs(own, one) < -lifeMs);
  ages.note(pairingId);
  table.add(
    { ...row, expires_at: expiresAt },
    over.map((one) => one.pairing_id),
  );
  changed('assistants');
  return { pairingId, pairingSecret, code, expiresAt };
};

/** Returns the state of a pairing to the holder of its secret. The first poll after acceptance returns the token, once. */
const poll = (own: Own, pairingId: string, secret: string): { state: string; token?: string } => {
  const { db, table, changed, access, admit } = own;
  const found = table.find(pairingId);
  if (!found || !sameHash(found.secret_sha256, sha256(secret))) throw problem('NOT_FOUND.pairing');
  if (found.state === 'accepted' && leftMs(own, found) <= 0) {
    endUncollected(own);
    return { state: 'expired' };
  }
  if (found.state !== 'collected' && access.isOver(pairingId, found.asked_at)) return { state: 'refused' };
  if (found.state === 'waiting') return { state: leftMs(own, found) > 0 ? 'waiting' : 'expired' };
  if (found.state !== 'accepted') return { state: found.state === 'collected' ? 'accepted' : found.state };
  const token = newToken();
  access.end(pairingId);
  db.transaction(() => {
    table.collect(pairingId);
    admit(found.name, sha256(token), found.access);
  })();
  changed('assistants');
  return { state: 'accepted', token };
};

export type Pairings = ReturnType<typeof createPairings>;

/** Creates the pairing flow: the person compares a code on both sides, and the token is returned once after acceptance. */
export const createPairings = (parts: Parts) => {
  const { table, clock, access } = parts;
  const waiting = () =>
    table.waiting().filter((one) => leftMs(parts, one) > 0 && !access.isOver(one.pairing_id, one.asked_at));
  const own: Own = { ...parts, waiting };

  return {
    ask: (name: string) => ask(own, name),
    poll: (pairingId: string, secret: string) => poll(own, pairingId, secret),
    /** Returns the SHA-256 of the pairing's secret in any state; empty if there is no such pairing. */
    secretHashes: (pairingId: string): string[] => {
      const found = table.find(pairingId);
      return found ? [found.secret_sha256] : [];
    },
    /** Accepts a pairing, with default rights if none are chosen. */
    accept: (pairingId: string, chosen: PairingAccess | null = null) => decide(own, pairingId, 'accepted', chosen),
    refuse: (pairingId: string) => decide(own, pairingId, 'refused', null),
    /** Ends all uncollected pairings, as they belong to another account. */
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
        expiresAt: shownDeadline(one.expires_at, leftMs(parts, one), clock.now()),
      })),
  };
};

export const newAssistantId = (): string => `as_${randomUUID()}`;
