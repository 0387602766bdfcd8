import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Asker } from '../approvals/approval.ts';
import type { Changed, Clock } from '../ports.ts';
import { Problem } from '../problem.ts';
import type { Db } from '../store/database.ts';
import type { AssistantView, PairingView } from './assistant.ts';

const pairing = z.object({
  pairing_id: z.string(),
  name: z.string(),
  code: z.string(),
  secret_sha256: z.string(),
  state: z.enum(['waiting', 'accepted', 'refused', 'collected']),
  asked_at: z.int(),
  expires_at: z.int(),
});
const assistant = z.object({
  assistant_id: z.string(),
  name: z.string(),
  token_sha256: z.string(),
  paired_at: z.int(),
  last_used_at: z.int().nullable(),
  paused_at: z.int().nullable(),
  publishes_per_day: z.int().nullable(),
  money_cents_per_day: z.int().nullable(),
  touches: z.enum(['all', 'own']),
});

const lifeMs = 10 * 60_000;
const mostWaiting = 5;
const usedEveryMs = 60_000;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const same = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

/** What an assistant had published and spent today, in cents. */
export type Used = { publishes: number; moneyCents: number };
export type AssistantChanges = {
  paused?: boolean | undefined;
  publishesPerDay?: number | null | undefined;
  moneyCentsPerDay?: number | null | undefined;
  touches?: 'all' | 'own' | undefined;
};

export type Assistants = ReturnType<typeof createAssistants>;

/** Pairing and tokens. A token is shown once, to the assistant that asked, after the person compared the code. */
export const createAssistants = (db: Db, clock: Clock, changed: Changed) => {
  const waiting = () =>
    z
      .array(pairing)
      .parse(
        db
          .prepare(`select * from pairings where state = 'waiting' and expires_at > ? order by asked_at`)
          .all(clock.now()),
      );
  const readPairing = (pairingId: string) => {
    const found = db.prepare('select * from pairings where pairing_id = ?').get(pairingId);
    return found === undefined ? null : pairing.parse(found);
  };
  const decide = (pairingId: string, state: 'accepted' | 'refused'): void => {
    const done = db
      .prepare(`update pairings set state = ? where pairing_id = ? and state = 'waiting' and expires_at > ?`)
      .run(state, pairingId, clock.now());
    if (done.changes !== 1) throw new Problem('PAIRING_OVER', 'This request is over. Ask the assistant to try again.');
    changed('assistants');
  };

  /** An assistant asks to be let in, under a name it gives itself. */
  const ask = (name: string) => {
    if (waiting().length >= mostWaiting) {
      throw new Problem('TOO_MANY_PAIRINGS', 'Too many assistants are waiting to be let in. Answer these first.', {
        retryAfterS: 60,
      });
    }
    const pairingId = `pa_${randomUUID()}`;
    const pairingSecret = randomBytes(32).toString('base64url');
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const expiresAt = clock.now() + lifeMs;
    db.prepare(
      `insert into pairings (pairing_id, name, code, secret_sha256, state, asked_at, expires_at) values (?, ?, ?, ?, 'waiting', ?, ?)`,
    ).run(pairingId, name, code, sha256(pairingSecret), clock.now(), expiresAt);
    changed('assistants');
    return { pairingId, pairingSecret, code, expiresAt };
  };

  /** Where a pairing stands, for the one who knows its secret. The first look after the yes gets the token, once. */
  const poll = (pairingId: string, secret: string): { state: string; token?: string } => {
    const found = readPairing(pairingId);
    if (!found || !same(found.secret_sha256, sha256(secret)))
      throw new Problem('NOT_FOUND', 'There is no such pairing.');
    if (found.state === 'waiting') return { state: found.expires_at > clock.now() ? 'waiting' : 'expired' };
    if (found.state !== 'accepted') return { state: found.state === 'collected' ? 'accepted' : found.state };
    const token = `lct_${randomBytes(32).toString('base64url')}`;
    db.transaction(() => {
      db.prepare(`update pairings set state = 'collected' where pairing_id = ?`).run(pairingId);
      db.prepare('insert into assistants (assistant_id, name, token_sha256, paired_at) values (?, ?, ?, ?)').run(
        `as_${randomUUID()}`,
        found.name,
        sha256(token),
        clock.now(),
      );
    })();
    changed('assistants');
    return { state: 'accepted', token };
  };

  /** The assistant that holds this token, or null. Compared as hashes, in constant time. */
  const whose = (token: string): (Asker & { kind: 'assistant'; paused: boolean }) | null => {
    const wanted = sha256(token);
    const found = z
      .array(assistant)
      .parse(db.prepare('select * from assistants').all())
      .find((one) => same(one.token_sha256, wanted));
    if (!found) return null;
    // Not with every request: each write waits for the disk.
    if (clock.now() - (found.last_used_at ?? 0) > usedEveryMs) {
      db.prepare('update assistants set last_used_at = ? where assistant_id = ?').run(clock.now(), found.assistant_id);
      changed('assistants');
    }
    return { kind: 'assistant', assistantId: found.assistant_id, name: found.name, paused: found.paused_at !== null };
  };

  const pairingViews = (): PairingView[] =>
    waiting().map((one) => ({
      pairingId: one.pairing_id,
      name: one.name,
      code: one.code,
      askedAt: one.asked_at,
      expiresAt: one.expires_at,
    }));
  const readAssistant = (assistantId: string) => {
    const found = db.prepare('select * from assistants where assistant_id = ?').get(assistantId);
    return found === undefined ? null : assistant.parse(found);
  };
  const views = (used: (assistantId: string) => Used): AssistantView[] =>
    z
      .array(assistant)
      .parse(db.prepare('select * from assistants order by paired_at desc').all())
      .map((one) => {
        const { publishes, moneyCents } = used(one.assistant_id);
        return {
          assistantId: one.assistant_id,
          name: one.name,
          pairedAt: one.paired_at,
          lastUsedAt: one.last_used_at,
          paused: one.paused_at !== null,
          budget: {
            publishesPerDay: one.publishes_per_day,
            moneyCentsPerDay: one.money_cents_per_day,
            publishesToday: publishes,
            moneyCentsToday: moneyCents,
          },
          touches: one.touches,
        };
      });

  /** Sets what the person changed; what is left out stays. */
  const change = (assistantId: string, changes: AssistantChanges): void => {
    const now = readAssistant(assistantId);
    if (!now) throw new Problem('NOT_FOUND', 'There is no such assistant.');
    const kept = <T>(given: T | undefined, stays: T): T => (given === undefined ? stays : given);
    const pausedAt = changes.paused === undefined ? now.paused_at : changes.paused ? clock.now() : null;
    db.prepare(
      'update assistants set paused_at = ?, publishes_per_day = ?, money_cents_per_day = ?, touches = ? where assistant_id = ?',
    ).run(
      pausedAt,
      kept(changes.publishesPerDay, now.publishes_per_day),
      kept(changes.moneyCentsPerDay, now.money_cents_per_day),
      kept(changes.touches, now.touches),
      assistantId,
    );
    changed('assistants');
  };

  return {
    ask,
    poll,
    whose,
    list: (used: (assistantId: string) => Used = () => ({ publishes: 0, moneyCents: 0 })) => ({
      assistants: views(used),
      pairings: pairingViews(),
    }),
    /** The limits that the person set for an assistant; null when it is not paired any more. */
    limits: (assistantId: string) => {
      const one = readAssistant(assistantId);
      return (
        one && {
          publishesPerDay: one.publishes_per_day,
          moneyCentsPerDay: one.money_cents_per_day,
          touches: one.touches,
        }
      );
    },
    change,
    accept: (pairingId: string) => decide(pairingId, 'accepted'),
    refuse: (pairingId: string) => decide(pairingId, 'refused'),
    revoke: (assistantId: string) => {
      db.prepare('delete from assistants where assistant_id = ?').run(assistantId);
      changed('assistants');
    },
    /** "I did not ask for this": the assistant is heard no more until the person lets it. */
    pause: (assistantId: string) => change(assistantId, { paused: true }),
  };
};
