import * as z from 'zod';
import type { Ledger } from '../approvals/ledger.ts';
import type { Changed, Clock } from '../base/ports.ts';
import { problem } from '../base/problem.ts';
import type { AccessLog } from '../storage/accessLog.ts';
import type { Db } from '../storage/database.ts';
import {
  assistantRow,
  changesOf,
  given,
  isPausedRow,
  viewOf,
  type AssistantChanges,
  type AssistantRow,
  type Used,
} from './assistantRow.ts';
import { nameLike, type NameLike } from '../base/similarNames.ts';
import { createPairings, newAssistantId, sameHash, sha256 } from './pairings.ts';
import type { Asker } from '../base/asker.ts';

const usedEveryMs = 60_000;

export type Assistants = ReturnType<typeof createAssistants>;

type Parts = {
  db: Db;
  clock: Clock;
  changed: Changed;
  ledger: Ledger;
  access: AccessLog;
  /** The account that is connected now, or null. */
  account: () => string | null;
};

/**
 * The assistants that were let in for the connected account, and what each may do. A token is shown once and kept as its
 * SHA-256; it says nothing while another account is connected.
 */
export const createAssistants = ({ db, clock, changed, ledger, access, account }: Parts) => {
  const record = (kind: string, facts: Record<string, unknown>): void => ledger.append(clock.now(), kind, facts);
  // Read with every request of every assistant, written a few times a day: kept as it is until something changes.
  let known: Map<string, AssistantRow> | null = null;
  let knownFor: string | null = null;
  const all = (): AssistantRow[] =>
    z
      .array(assistantRow)
      .parse(db.prepare('select * from assistants order by paired_at desc').all())
      .map((row) => ({ ...row, held: access.isHeld({ id: row.assistant_id, stamp: row.stamp }) }));
  const rows = (): Map<string, AssistantRow> => {
    const who = account();
    if (known !== null && knownFor === who) return known;
    const own = all().filter(
      (row) => !access.isGone(row.assistant_id) && (who === null || row.account === null || row.account === who),
    );
    knownFor = who;
    return (known = new Map(own.map((row) => [row.assistant_id, row])));
  };
  const touched = (): void => {
    known = null;
    changed('assistants');
  };

  const remove = db.prepare('delete from assistants where assistant_id = ?');
  const adopt = db.prepare('update assistants set account = ?, stamp = ? where assistant_id = ?');
  const stampOf = db.prepare('update assistants set stamp = ? where assistant_id = ?');
  /** A first start takes who is there as they are; who was revoked and came back goes again. */
  const begin = (): void => {
    for (const { assistant_id: assistantId, name } of all())
      if (access.isGone(assistantId))
        db.transaction(() => {
          remove.run(assistantId);
          record('assistant.revoked', { assistantId, name });
        })();
      else if (access.wasMade) stampOf.run(access.letIn(assistantId), assistantId);
  };
  begin();

  const pairings = createPairings({
    db,
    clock,
    changed,
    record,
    access,
    letIn: (name, tokenSha256) => {
      const assistantId = newAssistantId();
      db.prepare(
        'insert into assistants (assistant_id, name, token_sha256, paired_at, account, stamp) values (?, ?, ?, ?, ?, ?)',
      ).run(assistantId, name, tokenSha256, clock.now(), account(), access.letIn(assistantId));
      record('assistant.paired', { assistantId, name });
      known = null;
    },
  });

  /** The assistant that holds this token, or null. Compared as hashes, in constant time. */
  const whose = (token: string): (Asker & { kind: 'assistant'; paused: boolean }) | null => {
    const wanted = sha256(token);
    let found: AssistantRow | null = null;
    for (const one of rows().values()) if (sameHash(one.token_sha256, wanted)) found = one;
    if (!found) return null;
    // Not with every request: each write waits for the disk.
    if (clock.now() - (found.last_used_at ?? 0) > usedEveryMs) {
      db.prepare('update assistants set last_used_at = ? where assistant_id = ?').run(clock.now(), found.assistant_id);
      touched();
    }
    return { kind: 'assistant', assistantId: found.assistant_id, name: found.name, paused: isPausedRow(found) };
  };

  const write = db.prepare(
    `update assistants set paused_at = :paused_at, publishes_per_day = :publishes_per_day,
       money_cents_per_day = :money_cents_per_day, touches = :touches, scope = :scope, folders = :folders,
       stamp = :stamp
     where assistant_id = :assistant_id`,
  );
  /** Sets what the person changed; what is left out stays. Who is held stays held until it may go on. */
  const change = (assistantId: string, changes: AssistantChanges): void => {
    const before = rows().get(assistantId);
    if (!before) throw problem('NOT_FOUND.assistant');
    const held = before.held && changes.paused !== false;
    const after = { ...before, ...given(changes, before, clock.now()), held };
    try {
      // Known outside the database first: whatever ends this here, the earlier rights are not in force any more.
      if (!held) after.stamp = access.letIn(assistantId);
      db.transaction(() => {
        const { name: _name, token_sha256: _token, paired_at: _paired, held: _held, ...others } = after;
        const { last_used_at: _used, account: _account, ...columns } = others;
        write.run({ ...columns, folders: JSON.stringify(after.folders) });
        for (const { kind, facts } of changesOf(before, after)) record(kind, facts);
      })();
    } finally {
      touched();
    }
  };
  const revoke = (assistantId: string): void => {
    const gone = rows().get(assistantId);
    if (!gone) return;
    try {
      access.end(assistantId);
      db.transaction(() => {
        remove.run(assistantId);
        record('assistant.revoked', { assistantId, name: gone.name });
      })();
    } finally {
      touched();
    }
  };

  const othersThan = (assistantId: string | null): string[] =>
    [...rows().values()].filter((row) => row.assistant_id !== assistantId).map((row) => row.name);
  /** Of one that asks to be let in also the names of others that ask. */
  const likeOfPairing = ({ pairingId, name }: { pairingId: string; name: string }): NameLike | null => {
    const asking = pairings.views().filter((one) => one.pairingId !== pairingId);
    return nameLike(name, [...othersThan(null), ...asking.map((one) => one.name)]);
  };
  const likeOfAssistant = (assistantId: string, name: string): NameLike | null =>
    nameLike(name, othersThan(assistantId), true);

  return {
    ask: pairings.ask,
    poll: pairings.poll,
    accept: pairings.accept,
    refuse: pairings.refuse,
    whose,
    list: (used: (assistantId: string) => Used = () => ({ publishes: 0, moneyCents: 0 })) => ({
      assistants: [...rows().values()].map((row) =>
        viewOf(row, used(row.assistant_id), likeOfAssistant(row.assistant_id, row.name)),
      ),
      pairings: pairings.views().map((view) => ({ ...view, nameLike: likeOfPairing(view) })),
    }),
    /** Why an asker's name is easily taken for another one's. */
    nameLike: (by: Asker): NameLike | null => (by.kind === 'person' ? null : likeOfAssistant(by.assistantId, by.name)),
    /** Another account is connected: who waits to be let in asks again, and who was let in for none belongs to this one. */
    accountChanged: (): void => {
      pairings.end();
      touched();
    },
    /** Who was let in while no account was connected is let in for the first one that is. */
    adopt: (): void => {
      const ofNone = all().filter((row) => row.account === null && !access.isGone(row.assistant_id));
      // Which account one is let in for is a right like any other; who is held is so for this one as well.
      for (const { assistant_id: id, held, stamp } of ofNone) adopt.run(account(), held ? stamp : access.letIn(id), id);
      if (ofNone.length > 0) touched();
    },
    /** Whether an assistant is still let in and not paused. */
    isActive: (assistantId: string): boolean => {
      const one = rows().get(assistantId);
      return one !== undefined && !isPausedRow(one);
    },
    /** The limits that the person set for an assistant; null when it is not paired any more. */
    limits: (assistantId: string) => {
      const one = rows().get(assistantId);
      return one
        ? {
            publishesPerDay: one.publishes_per_day,
            moneyCentsPerDay: one.money_cents_per_day,
            touches: one.touches,
            scope: one.scope,
            folders: one.folders,
          }
        : null;
    },
    change,
    revoke,
    /** "I did not ask for this": the assistant is heard no more until the person lets it. */
    pause: (assistantId: string) => change(assistantId, { paused: true }),
  };
};
