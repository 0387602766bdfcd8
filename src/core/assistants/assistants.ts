import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import type { Asker } from '../approvals/approval.ts';
import type { Ledger } from '../approvals/ledger.ts';
import type { Changed, Clock } from '../ports.ts';
import { problem } from '../problem.ts';
import { json, type Db } from '../store/database.ts';
import { scopes, type AssistantScope, type AssistantView } from './assistant.ts';
import { nameLike } from './nameLike.ts';
import { createPairings, newAssistantId, sameHash, sha256 } from './pairings.ts';

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
  scope: z.enum(scopes),
  folders: json(z.array(z.string())),
  /** The account that it is let in for; null for one that was let in while none was connected. */
  account: z.string().nullable(),
});
type AssistantRow = z.infer<typeof assistant>;

const usedEveryMs = 60_000;
const mostFolders = 50;

/** What an assistant had published and spent today, in cents. */
export type Used = { publishes: number; moneyCents: number };
export type AssistantChanges = {
  paused?: boolean | undefined;
  publishesPerDay?: number | null | undefined;
  moneyCentsPerDay?: number | null | undefined;
  touches?: 'all' | 'own' | undefined;
  scope?: AssistantScope | undefined;
  folders?: string[] | undefined;
};

export type Assistants = ReturnType<typeof createAssistants>;

type Parts = {
  db: Db;
  clock: Clock;
  changed: Changed;
  ledger: Ledger;
  /** The account that is connected now, or null. */
  account: () => string | null;
};

/**
 * The assistants that were let in for the connected account, and what each may do. A token is shown once and kept as its
 * SHA-256; it says nothing while another account is connected.
 */
export const createAssistants = ({ db, clock, changed, ledger, account }: Parts) => {
  const record = (kind: string, facts: Record<string, unknown>): void => ledger.append(clock.now(), kind, facts);
  // Read with every request of every assistant, written a few times a day: kept as it is until something changes.
  let known: Map<string, AssistantRow> | null = null;
  let knownFor: string | null = null;
  const rows = (): Map<string, AssistantRow> => {
    const who = account();
    if (known !== null && knownFor === who) return known;
    const all = z.array(assistant).parse(db.prepare('select * from assistants order by paired_at desc').all());
    const own = all.filter((row) => who === null || row.account === null || row.account === who);
    knownFor = who;
    return (known = new Map(own.map((row) => [row.assistant_id, row])));
  };
  const touched = (): void => {
    known = null;
    changed('assistants');
  };

  const pairings = createPairings({
    db,
    clock,
    changed,
    record,
    letIn: (name, tokenSha256) => {
      const assistantId = newAssistantId();
      db.prepare(
        'insert into assistants (assistant_id, name, token_sha256, paired_at, account) values (?, ?, ?, ?, ?)',
      ).run(assistantId, name, tokenSha256, clock.now(), account());
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
    return { kind: 'assistant', assistantId: found.assistant_id, name: found.name, paused: found.paused_at !== null };
  };

  const write = db.prepare(
    `update assistants set paused_at = :paused_at, publishes_per_day = :publishes_per_day,
       money_cents_per_day = :money_cents_per_day, touches = :touches, scope = :scope, folders = :folders
     where assistant_id = :assistant_id`,
  );
  /** Sets what the person changed; what is left out stays. */
  const change = (assistantId: string, changes: AssistantChanges): void => {
    const before = rows().get(assistantId);
    if (!before) throw problem('NOT_FOUND.assistant');
    const after = { ...before, ...given(changes, before, clock.now()) };
    db.transaction(() => {
      const {
        name: _name,
        token_sha256: _token,
        paired_at: _paired,
        last_used_at: _used,
        account: _account,
        ...columns
      } = after;
      write.run({ ...columns, folders: JSON.stringify(after.folders) });
      for (const { kind, facts } of changesOf(before, after)) record(kind, facts);
    })();
    touched();
  };
  const revoke = (assistantId: string): void => {
    const gone = rows().get(assistantId);
    db.transaction(() => {
      db.prepare('delete from assistants where assistant_id = ?').run(assistantId);
      if (gone) record('assistant.revoked', { assistantId, name: gone.name });
    })();
    touched();
  };

  const likeOf = (name: string, except?: string): string | null =>
    nameLike(
      name,
      [...rows().values()].filter((row) => row.assistant_id !== except).map((row) => row.name),
    );

  return {
    ask: pairings.ask,
    poll: pairings.poll,
    accept: pairings.accept,
    refuse: pairings.refuse,
    whose,
    list: (used: (assistantId: string) => Used = () => ({ publishes: 0, moneyCents: 0 })) => ({
      assistants: [...rows().values()].map((row) => viewOf(row, used(row.assistant_id))),
      pairings: pairings.views().map((view) => ({ ...view, nameLike: likeOf(view.name) })),
    }),
    /** Another assistant whose name is easily taken for this one's. */
    nameLike: (by: Asker): string | null => (by.kind === 'person' ? null : likeOf(by.name, by.assistantId)),
    /** Another account is connected: who waits to be let in asks again, and who was let in for none belongs to this one. */
    accountChanged: (): void => {
      pairings.end();
      touched();
    },
    /** Who was let in while no account was connected is let in for the first one that is. */
    adopt: (): void => {
      if (db.prepare('update assistants set account = ? where account is null').run(account()).changes > 0) touched();
    },
    /** Whether an assistant is still let in and not paused. */
    isActive: (assistantId: string): boolean => rows().get(assistantId)?.paused_at === null,
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

/** The columns that a change names. */
const given = (changes: AssistantChanges, before: AssistantRow, now: number): Partial<AssistantRow> => {
  const { paused, publishesPerDay, moneyCentsPerDay, touches, scope, folders } = changes;
  return {
    ...(paused === undefined ? {} : { paused_at: paused ? (before.paused_at ?? now) : null }),
    ...(publishesPerDay === undefined ? {} : { publishes_per_day: publishesPerDay }),
    ...(moneyCentsPerDay === undefined ? {} : { money_cents_per_day: moneyCentsPerDay }),
    ...(touches === undefined ? {} : { touches }),
    ...(scope === undefined ? {} : { scope }),
    ...(folders === undefined ? {} : { folders: wholeFolders(folders) }),
  };
};

/** What the ledger says of a change: of the folders only how many there are. */
const limitsIn = (row: AssistantRow) => ({
  scope: row.scope,
  touches: row.touches,
  publishesPerDay: row.publishes_per_day,
  moneyCentsPerDay: row.money_cents_per_day,
  folders: row.folders.length,
});

/** The rows for the ledger: one for being paused or let go on, one for the limits. Nothing for what stayed as it was. */
const changesOf = (before: AssistantRow, after: AssistantRow): { kind: string; facts: Record<string, unknown> }[] => {
  const { assistant_id: assistantId, name } = after;
  const [was, is] = [limitsIn(before), limitsIn(after)];
  const limits = (Object.keys(is) as (keyof typeof is)[]).filter((key) => was[key] !== is[key]);
  const otherFolders = JSON.stringify(before.folders) !== JSON.stringify(after.folders);
  const wasPaused = before.paused_at !== null;
  const isPaused = after.paused_at !== null;
  const facts = { assistantId, name };
  return [
    ...(wasPaused === isPaused ? [] : [{ kind: isPaused ? 'assistant.paused' : 'assistant.resumed', facts }]),
    ...(limits.length === 0 && !otherFolders
      ? []
      : [{ kind: 'assistant.changed', facts: { ...facts, before: was, after: is } }]),
  ];
};

const viewOf = (row: AssistantRow, { publishes, moneyCents }: Used): AssistantView => ({
  assistantId: row.assistant_id,
  name: row.name,
  pairedAt: row.paired_at,
  lastUsedAt: row.last_used_at,
  paused: row.paused_at !== null,
  budget: {
    publishesPerDay: row.publishes_per_day,
    moneyCentsPerDay: row.money_cents_per_day,
    publishesToday: publishes,
    moneyCentsToday: moneyCents,
  },
  touches: row.touches,
  scope: row.scope,
  folders: row.folders,
});

const realOf = (folder: string): string => {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
};

/** The folders without repeats, each an absolute path with every link followed: where it leads now is what is allowed. */
const wholeFolders = (folders: string[]): string[] => {
  for (const folder of folders) {
    if (!isAbsolute(folder)) throw problem('INVALID_REQUEST.wholeFolder', { field: 'folders' });
  }
  const whole = [...new Set(folders.map(realOf))];
  if (whole.length > mostFolders)
    throw problem('INVALID_REQUEST.mostFolders', { field: 'folders', values: { most: mostFolders } });
  return whole;
};
