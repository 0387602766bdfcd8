import * as z from 'zod';
import { json, type Db } from '../database.ts';
/** What an assistant may do: look; also make and edit drafts; also ask for what needs the person. */
export const scopes = ['read', 'draft', 'ask'] as const;

export type AssistantScope = (typeof scopes)[number];

/** An assistant as the database has it. */
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
  folders: json(z.array(z.string())),
  /** The account that it is let in for; null for one that was let in while none was connected. */
  account: z.string().nullable(),
  /** What the file beside the database must say, too. */
  stamp: z.string().nullable(),
});

/** `held`: its rights may have come back from an older time, and the person has not let it go on yet. */
export type AssistantRow = z.infer<typeof assistantRow> & { held: boolean };

/** A row without what is known only outside the database. */
type StoredAssistant = z.infer<typeof assistantRow>;
type NewAssistant = Pick<StoredAssistant, 'assistant_id' | 'name' | 'token_sha256' | 'paired_at' | 'account' | 'stamp'>;

export type AssistantsTable = ReturnType<typeof assistantsTable>;

export const assistantsTable = (db: Db) => {
  const all = db.prepare('select * from assistants order by paired_at desc');
  const insert = db.prepare(
    `insert into assistants (assistant_id, name, token_sha256, paired_at, account, stamp)
     values (:assistant_id, :name, :token_sha256, :paired_at, :account, :stamp)`,
  );
  const remove = db.prepare('delete from assistants where assistant_id = ?');
  const adopt = db.prepare('update assistants set account = ?, stamp = ? where assistant_id = ?');
  const stamp = db.prepare('update assistants set stamp = ? where assistant_id = ?');
  const used = db.prepare('update assistants set last_used_at = ? where assistant_id = ?');
  const write = db.prepare(
    `update assistants set paused_at = :paused_at, publishes_per_day = :publishes_per_day,
       money_cents_per_day = :money_cents_per_day, touches = :touches, scope = :scope, folders = :folders,
       stamp = :stamp
     where assistant_id = :assistant_id`,
  );
  return {
    all: (): StoredAssistant[] => z.array(assistantRow).parse(all.all()),
    add: (row: NewAssistant): void => void insert.run(row),
    remove: (assistantId: string): void => void remove.run(assistantId),
    adopt: (assistantId: string, account: string | null, mark: string | null): void =>
      void adopt.run(account, mark, assistantId),
    setStamp: (assistantId: string, mark: string): void => void stamp.run(mark, assistantId),
    noteUse: (assistantId: string, at: number): void => void used.run(at, assistantId),
    /** Writes what the person sets: being paused, limits and folders, with the stamp of the access log. */
    write: (row: StoredAssistant): void => {
      const { name: _name, token_sha256: _token, paired_at: _paired, ...others } = row;
      const { last_used_at: _used, account: _account, ...columns } = others;
      write.run({ ...columns, folders: JSON.stringify(row.folders) });
    },
  };
};
