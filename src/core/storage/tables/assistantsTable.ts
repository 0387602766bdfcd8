import { type Db, createJsonColumn, textValues } from '../database.ts';
import * as z from 'zod';

/** `draft` adds creating and editing drafts to `read`. `ask` adds acts that need an approval. */
export const scopes = ['read', 'draft', 'ask'] as const;

const pairingAccess = z.object({
  scope: z.enum(scopes),
  folders: z.array(z.string()),
  publishesPerDay: z.int().nullable(),
  moneyCentsPerDay: z.int().nullable(),
});
export type PairingAccess = z.infer<typeof pairingAccess>;

const pairing = z.object({
  pairing_id: z.string(),
  name: z.string(),
  code: z.string(),
  secret_sha256: z.string(),
  state: z.enum(['waiting', 'accepted', 'refused', 'collected']),
  asked_at: z.int(),
  expires_at: z.int(),
  access: createJsonColumn(pairingAccess).nullable(),
});
export type PairingRow = z.infer<typeof pairing>;
const pairings = z.array(pairing);

export type PairingsTable = ReturnType<typeof createPairingsTable>;

export const createPairingsTable = (db: Db) => {
  const open = db.prepare(`select pairing_id from pairings where state in ('waiting', 'accepted')`).pluck();
  const close = db.prepare(`update pairings set state = 'refused' where state in ('waiting', 'accepted')`);
  const waiting = db.prepare(`select * from pairings where state = 'waiting' order by rowid`);
  const decide = db
    .prepare(`update pairings set state = ?, access = ? where pairing_id = ? and state = 'waiting' returning name`)
    .pluck();
  const uncollected = db.prepare(`select * from pairings where state <> 'collected'`);
  const remove = db.prepare(`delete from pairings where pairing_id = ? and state <> 'collected'`);
  const insert = db.prepare(
    `insert into pairings (pairing_id, name, code, secret_sha256, state, asked_at, expires_at)
     values (:pairing_id, :name, :code, :secret_sha256, 'waiting', :asked_at, :expires_at)`,
  );
  const find = db.prepare('select * from pairings where pairing_id = ?');
  const collect = db.prepare(`update pairings set state = 'collected' where pairing_id = ?`);
  return {
    open: (): string[] => textValues.parse(open.all()),
    closeOpen: (): void => void close.run(),
    waiting: (): PairingRow[] => pairings.parse(waiting.all()),
    /** Decides a pairing and returns its name; null if the pairing is no longer waiting for a decision. */
    decide: (pairingId: string, state: 'accepted' | 'refused', access: PairingAccess | null): string | null =>
      z
        .string()
        .optional()
        .parse(decide.get(state, access === null ? null : JSON.stringify(access), pairingId)) ?? null,
    uncollected: (): PairingRow[] => pairings.parse(uncollected.all()),
    add: (row: Omit<PairingRow, 'state' | 'access'>, removed: readonly string[]): void =>
      db.transaction(() => {
        for (const pairingId of removed) remove.run(pairingId);
        insert.run(row);
      })(),
    find: (pairingId: string): PairingRow | null => pairing.optional().parse(find.get(pairingId)) ?? null,
    collect: (pairingId: string): void => void collect.run(pairingId),
  };
};

export type AssistantScope = (typeof scopes)[number];

const assistantRow = z.object({
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
  /** 1 if the assistant may see and change places, SKUs, tags and notes. */
  shelf: z.int(),
  folders: createJsonColumn(z.array(z.string())),
  /** Null if no account was connected during the pairing. */
  account: z.string().nullable(),
  /** The rights are valid only if the access log contains this stamp too. */
  stamp: z.string().nullable(),
});

/** `held`: suspended, because the rights might come from an older database. */
export type AssistantRow = z.infer<typeof assistantRow> & { held: boolean };

type StoredAssistant = z.infer<typeof assistantRow>;
const assistantRows = z.array(assistantRow);
type NewAssistant = Pick<StoredAssistant, 'assistant_id' | 'name' | 'token_sha256' | 'paired_at' | 'account' | 'stamp'>;

export type AssistantsTable = ReturnType<typeof createAssistantsTable>;

export const createAssistantsTable = (db: Db) => {
  const all = db.prepare('select * from assistants order by paired_at desc');
  const insert = db.prepare(
    `insert into assistants (assistant_id, name, token_sha256, paired_at, account, stamp)
     values (:assistant_id, :name, :token_sha256, :paired_at, :account, :stamp)`,
  );
  const remove = db.prepare('delete from assistants where assistant_id = ?');
  const adopt = db.prepare('update assistants set account = ?, stamp = ? where assistant_id = ?');
  const stamp = db.prepare('update assistants set stamp = ? where assistant_id = ?');
  const folders = db.prepare('update assistants set folders = ? where assistant_id = ?');
  const used = db.prepare('update assistants set last_used_at = ? where assistant_id = ?');
  const write = db.prepare(
    `update assistants set paused_at = :paused_at, publishes_per_day = :publishes_per_day,
       money_cents_per_day = :money_cents_per_day, touches = :touches, scope = :scope, shelf = :shelf,
       folders = :folders, stamp = :stamp
     where assistant_id = :assistant_id`,
  );
  return {
    all: (): StoredAssistant[] => assistantRows.parse(all.all()),
    add: (row: NewAssistant): void => void insert.run(row),
    remove: (assistantId: string): void => void remove.run(assistantId),
    adopt: (assistantId: string, account: string | null, mark: string | null): void =>
      void adopt.run(account, mark, assistantId),
    setStamp: (assistantId: string, mark: string): void => void stamp.run(mark, assistantId),
    respell: (assistantId: string, spelled: readonly string[]): void =>
      void folders.run(JSON.stringify(spelled), assistantId),
    noteUse: (assistantId: string, at: number): void => void used.run(at, assistantId),
    /** Must be called with a new stamp of the access log. */
    write: (row: StoredAssistant): void => {
      const { name: _name, token_sha256: _token, paired_at: _paired, ...others } = row;
      const { last_used_at: _used, account: _account, ...columns } = others;
      write.run({ ...columns, folders: JSON.stringify(row.folders) });
    },
  };
};
