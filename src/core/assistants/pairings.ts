import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Changed, Clock } from '../base/ports.ts';
import { problem } from '../base/problem.ts';
import type { AccessLog } from '../storage/accessLog.ts';
import type { Db } from '../storage/database.ts';
import type { PairingView } from './assistant.ts';

const pairing = z.object({
  pairing_id: z.string(),
  name: z.string(),
  code: z.string(),
  secret_sha256: z.string(),
  state: z.enum(['waiting', 'accepted', 'refused', 'collected']),
  asked_at: z.int(),
  expires_at: z.int(),
});

const lifeMs = 10 * 60_000;
const mostWaiting = 5;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Compares two SHA-256 in constant time. */
export const sameHash = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

type Parts = {
  db: Db;
  clock: Clock;
  changed: Changed;
  /** Keeps outside the database which requests are over. */
  access: AccessLog;
  /** Keeps the assistant that was let in, under the name it gave itself. */
  letIn: (name: string, tokenSha256: string) => void;
  /** Notes in the ledger what the person said. */
  record: (kind: string, facts: Record<string, unknown>) => void;
};

/** Letting assistants in: the person compares a code on both sides; the token is given once, after the yes. */
export const createPairings = ({ db, clock, changed, access, letIn, record }: Parts) => {
  const open = db.prepare(`select pairing_id from pairings where state in ('waiting', 'accepted')`).pluck();
  const close = db.prepare(`update pairings set state = 'refused' where state in ('waiting', 'accepted')`);
  const waiting = () =>
    z
      .array(pairing)
      .parse(
        db
          .prepare(`select * from pairings where state = 'waiting' and expires_at > ? order by asked_at`)
          .all(clock.now()),
      )
      .filter((one) => !access.isOver(one.pairing_id, one.asked_at));
  const decide = (pairingId: string, state: 'accepted' | 'refused'): void => {
    if (!waiting().some((one) => one.pairing_id === pairingId)) throw problem('PAIRING_OVER');
    if (state === 'refused') access.end(pairingId);
    db.transaction(() => {
      const name = db
        .prepare(
          `update pairings set state = ? where pairing_id = ? and state = 'waiting' and expires_at > ? returning name`,
        )
        .pluck()
        .get(state, pairingId, clock.now());
      if (name === undefined) throw problem('PAIRING_OVER');
      record(`pairing.${state}`, { pairingId, name });
    })();
    changed('assistants');
  };

  /** A yes that nobody collected in time is over for good, also for an older database in which it still stands. */
  const endUncollected = (): void => {
    const late = db.prepare(`select * from pairings where state = 'accepted' and expires_at <= ?`).all(clock.now());
    const rows = z.array(pairing).parse(late);
    access.end(...rows.filter((one) => !access.isOver(one.pairing_id, one.asked_at)).map((one) => one.pairing_id));
  };

  /** An assistant asks to be let in, under a name it gives itself. */
  const ask = (name: string) => {
    if (waiting().length >= mostWaiting) {
      throw problem('TOO_MANY_PAIRINGS', {
        retryAfterS: 60,
      });
    }
    const pairingId = `pa_${randomUUID()}`;
    const pairingSecret = randomBytes(32).toString('base64url');
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const expiresAt = clock.now() + lifeMs;
    endUncollected();
    db.transaction(() => {
      // A flood leaves nothing behind: what nobody answered in time is gone.
      db.prepare(`delete from pairings where state <> 'collected' and expires_at < ?`).run(clock.now() - lifeMs);
      db.prepare(
        `insert into pairings (pairing_id, name, code, secret_sha256, state, asked_at, expires_at) values (?, ?, ?, ?, 'waiting', ?, ?)`,
      ).run(pairingId, name, code, sha256(pairingSecret), clock.now(), expiresAt);
    })();
    changed('assistants');
    return { pairingId, pairingSecret, code, expiresAt };
  };

  /** Where a pairing stands, for the one who knows its secret. The first look after the yes gets the token, once. */
  const poll = (pairingId: string, secret: string): { state: string; token?: string } => {
    const row = db.prepare('select * from pairings where pairing_id = ?').get(pairingId);
    const found = row === undefined ? null : pairing.parse(row);
    if (!found || !sameHash(found.secret_sha256, sha256(secret))) throw problem('NOT_FOUND.pairing');
    if (found.state === 'accepted' && found.expires_at <= clock.now()) {
      endUncollected();
      return { state: 'expired' };
    }
    if (found.state !== 'collected' && access.isOver(pairingId, found.asked_at)) return { state: 'refused' };
    if (found.state === 'waiting') return { state: found.expires_at > clock.now() ? 'waiting' : 'expired' };
    if (found.state !== 'accepted') return { state: found.state === 'collected' ? 'accepted' : found.state };
    const token = `lct_${randomBytes(32).toString('base64url')}`;
    access.end(pairingId);
    db.transaction(() => {
      db.prepare(`update pairings set state = 'collected' where pairing_id = ?`).run(pairingId);
      letIn(found.name, sha256(token));
    })();
    changed('assistants');
    return { state: 'accepted', token };
  };

  return {
    ask,
    poll,
    accept: (pairingId: string) => decide(pairingId, 'accepted'),
    refuse: (pairingId: string) => decide(pairingId, 'refused'),
    /** Ends every pairing that is not collected: it was meant for another account. */
    end: (): void => {
      access.end(...z.array(z.string()).parse(open.all()));
      close.run();
    },
    views: (): Omit<PairingView, 'nameLike'>[] =>
      waiting().map((one) => ({
        pairingId: one.pairing_id,
        name: one.name,
        code: one.code,
        askedAt: one.asked_at,
        expiresAt: one.expires_at,
      })),
  };
};

/** The id of an assistant that is new here. */
export const newAssistantId = (): string => `as_${randomUUID()}`;
