import type { PairingAccess, PairingsTable, AssistantRow, AssistantsTable } from '../storage/tables/assistantsTable.ts';
import type { Ledger } from '../approvals/ledger/ledger.ts';
import type { Changed, Clock } from '../base/ports.ts';
import type { StoredAges } from '../base/storedAges.ts';
import { problem } from '../base/problem.ts';
import type { AccessLog } from '../storage/accessLog.ts';
import type { Db } from '../storage/database.ts';
import { changesOf, given, isPausedRow, viewOf, wholeFolders, type AssistantChanges, type Used } from './assistant.ts';
import { nameLike, type NameLike } from '../base/similarNames.ts';
import { createPairings, newAssistantId, newToken, sameHash, sha256, type Pairings } from './pairings.ts';
import type { Asker } from '../base/request.ts';
import * as z from 'zod';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';

const usedEveryMs = 60_000;

export type Assistants = ReturnType<typeof createAssistants>;

type Parts = {
  db: Db;
  table: AssistantsTable;
  pairingsTable: PairingsTable;
  clock: Clock;
  ages: StoredAges;
  changed: Changed;
  ledger: Ledger;
  access: AccessLog;
  /** Returns the connected account, or null. */
  account: () => string | null;
};

/** The assistants of the connected account by id, cached. */
type Roster = {
  /** Rows of all accounts, including assistants that only the access log records as revoked. */
  all: () => AssistantRow[];
  rows: () => Map<string, AssistantRow>;
  /** Invalidates the cache. */
  forget: () => void;
  /** Invalidates the cache and notifies windows. */
  touched: () => void;
};

/** Caches the assistants: every request reads them, and they change a few times a day. */
const createRoster = ({ table, access, account, changed }: Parts): Roster => {
  let known: Map<string, AssistantRow> | null = null;
  let knownFor: string | null = null;
  const all = (): AssistantRow[] =>
    table.all().map((row) => ({ ...row, held: access.isHeld({ id: row.assistant_id, stamp: row.stamp }) }));
  return {
    all,
    rows: () => {
      const who = account();
      if (known !== null && knownFor === who) return known;
      const own = all().filter(
        (row) => !access.isGone(row.assistant_id) && (who === null || row.account === null || row.account === who),
      );
      knownFor = who;
      return (known = new Map(own.map((row) => [row.assistant_id, row])));
    },
    forget: () => void (known = null),
    touched: () => {
      known = null;
      changed('assistants');
    },
  };
};

/** The context of the functions below. */
type Own = Parts & { roster: Roster; record: (kind: string, facts: Record<string, unknown>) => void };

/**
 * Reconciles the database with the access log: a new log adopts the stored assistants; an assistant that the log records
 * as revoked is removed again.
 */
const settleAtStart = ({ db, table, access, roster, record }: Own): void => {
  for (const { assistant_id: assistantId, name } of roster.all())
    if (access.isGone(assistantId))
      db.transaction(() => {
        table.remove(assistantId);
        record('assistant.revoked', { assistantId, name });
      })();
    else if (access.wasMade) table.setStamp(assistantId, access.admit(assistantId));
};

const admit = ({ table, clock, account, access, roster, record }: Own, name: string, tokenSha256: string): string => {
  const assistantId = newAssistantId();
  table.add({
    assistant_id: assistantId,
    name,
    token_sha256: tokenSha256,
    paired_at: clock.now(),
    account: account(),
    stamp: access.admit(assistantId),
  });
  record('assistant.paired', { assistantId, name });
  roster.forget();
  return assistantId;
};

/** Pairs a client on this machine without comparing codes. */
const pairLocally = (own: Own, name: string): { assistantId: string; token: string } => {
  const token = newToken();
  const assistantId = own.db.transaction(() => admit(own, name, sha256(token)))();
  own.changed('assistants');
  return { assistantId, token };
};

/** Finds the assistant that holds this token. Compares hashes in constant time. */
const holderOf = ({ roster }: Own, token: string): AssistantRow | null => {
  const wanted = sha256(token);
  let found: AssistantRow | null = null;
  for (const one of roster.rows().values()) if (sameHash(one.token_sha256, wanted)) found = one;
  return found;
};

const noteUse = (
  { table, clock, ages, roster }: Own,
  { assistant_id: assistantId, last_used_at: usedAt }: AssistantRow,
): void => {
  const use = `use of ${assistantId}`;
  // Note the use at most once a minute: each write waits for the disk.
  if (usedAt !== null && ages.ageMs(use, usedAt) <= usedEveryMs) return;
  ages.note(use);
  table.noteUse(assistantId, clock.now());
  roster.touched();
};

/** Returns the assistant that holds this token and notes its use; null if there is none. */
const whose = (own: Own, token: string): (Asker & { kind: 'assistant'; paused: boolean }) | null => {
  const found = holderOf(own, token);
  if (!found) return null;
  noteUse(own, found);
  return { kind: 'assistant', assistantId: found.assistant_id, name: found.name, paused: isPausedRow(found) };
};

/** Applies the person's changes. A suspended assistant stays suspended unless the person resumes it. */
const change = (
  { db, table, clock, access, roster, record }: Own,
  assistantId: string,
  changes: AssistantChanges,
): void => {
  const before = roster.rows().get(assistantId);
  if (!before) throw problem('NOT_FOUND.assistant');
  const held = before.held && changes.paused !== false;
  const after = { ...before, ...given(changes, before, clock.now()), held };
  try {
    // Write to the access log first, so that a crash here does not leave the earlier rights in force.
    if (!held) after.stamp = access.admit(assistantId);
    db.transaction(() => {
      const { held: _held, ...columns } = after;
      table.write(columns);
      for (const { kind, facts } of changesOf(before, after)) record(kind, facts);
    })();
  } finally {
    roster.touched();
  }
};

const revoke = ({ db, table, access, roster, record }: Own, assistantId: string): void => {
  const gone = roster.rows().get(assistantId);
  if (!gone) return;
  try {
    access.end(assistantId);
    db.transaction(() => {
      table.remove(assistantId);
      record('assistant.revoked', { assistantId, name: gone.name });
    })();
  } finally {
    roster.touched();
  }
};

/** Assigns assistants that were paired while disconnected to the first connected account. */
const adopt = ({ table, access, account, roster }: Own): void => {
  const ofNone = roster.all().filter((row) => row.account === null && !access.isGone(row.assistant_id));
  // The account is a right like any other; a suspended assistant keeps its old stamp and stays suspended.
  for (const { assistant_id: id, held, stamp } of ofNone) table.adopt(id, account(), held ? stamp : access.admit(id));
  if (ofNone.length > 0) roster.touched();
};

const limitsOf = (row: AssistantRow) => ({
  publishesPerDay: row.publishes_per_day,
  moneyCentsPerDay: row.money_cents_per_day,
  touches: row.touches,
  scope: row.scope,
  folders: row.folders,
});

/** Compares names for likeness. */
const createLikenesses = (roster: Roster, pairings: Pairings) => {
  const othersThan = (assistantId: string | null): string[] =>
    [...roster.rows().values()].filter((row) => row.assistant_id !== assistantId).map((row) => row.name);
  return {
    /** Also compares with the names of other pending pairings. */
    ofPairing: ({ pairingId, name }: { pairingId: string; name: string }): NameLike | null => {
      const asking = pairings.views().filter((one) => one.pairingId !== pairingId);
      return nameLike(name, [...othersThan(null), ...asking.map((one) => one.name)]);
    },
    ofAssistant: (assistantId: string, name: string): NameLike | null => nameLike(name, othersThan(assistantId), true),
  };
};

/**
 * Creates the registry of paired assistants and their rights. A token is returned once and stored as SHA-256. It is not
 * valid while another account is connected.
 */
export const createAssistants = (parts: Parts) => {
  const { db, pairingsTable, clock, ages, changed, ledger, access } = parts;
  const record = (kind: string, facts: Record<string, unknown>): void => ledger.append(clock.now(), kind, facts);
  const roster = createRoster(parts);
  const own: Own = { ...parts, roster, record };
  settleAtStart(own);
  const pairings = createPairings({
    ...{ db, clock, ages, changed, record, access },
    table: pairingsTable,
    admit: (name, tokenSha256, chosen) => {
      const assistantId = admit(own, name, tokenSha256);
      if (chosen !== null) change(own, assistantId, chosen);
    },
  });
  const likenesses = createLikenesses(roster, pairings);

  return {
    ask: pairings.ask,
    poll: pairings.poll,
    /** Throws if a folder is not an absolute path. */
    accept: (pairingId: string, chosen: PairingAccess | null = null) =>
      pairings.accept(pairingId, chosen && { ...chosen, folders: wholeFolders(chosen.folders) }),
    refuse: pairings.refuse,
    whose: (token: string) => whose(own, token),
    /**
     * Returns the SHA-256 of every token, or of the secret of one pairing. The companion proves its identity to clients
     * with them.
     */
    secretHashes: (pairingId: string | null): string[] =>
      pairingId === null
        ? [...roster.rows().values()].map((row) => row.token_sha256)
        : pairings.secretHashes(pairingId),
    pairLocally: (name: string) => pairLocally(own, name),
    /** Returns the assistant as an asker; null if it is paused or revoked. */
    asker: (assistantId: string): (Asker & { kind: 'assistant' }) | null => {
      const found = roster.rows().get(assistantId);
      if (!found || isPausedRow(found)) return null;
      noteUse(own, found);
      return { kind: 'assistant', assistantId, name: found.name };
    },
    /** Returns the id of the assistant that holds a token, without noting a use; null if there is none. */
    holderOf: (token: string): string | null => holderOf(own, token)?.assistant_id ?? null,
    list: (used: (assistantId: string) => Used = () => ({ publishes: 0, moneyCents: 0 })) => ({
      assistants: [...roster.rows().values()].map((row) =>
        viewOf(row, used(row.assistant_id), likenesses.ofAssistant(row.assistant_id, row.name)),
      ),
      pairings: pairings.views().map((view) => ({ ...view, nameLike: likenesses.ofPairing(view) })),
    }),
    /** Returns why the asker's name may be confused with another. */
    nameLike: (by: Asker): NameLike | null =>
      by.kind === 'person' ? null : likenesses.ofAssistant(by.assistantId, by.name),
    /** Ends pending pairings when the account changes; the clients must request pairing again. */
    accountChanged: (): void => {
      pairings.end();
      roster.touched();
    },
    adopt: () => adopt(own),
    /** Returns whether an assistant is paired and not paused. */
    isActive: (assistantId: string): boolean => {
      const one = roster.rows().get(assistantId);
      return one !== undefined && !isPausedRow(one);
    },
    /** Returns the limits of an assistant; null if it is not paired. */
    limits: (assistantId: string) => {
      const one = roster.rows().get(assistantId);
      return one ? limitsOf(one) : null;
    },
    change: (assistantId: string, changes: AssistantChanges) => change(own, assistantId, changes),
    revoke: (assistantId: string) => revoke(own, assistantId),
    /** Pauses an assistant after the person answers "I did not ask for this". */
    pause: (assistantId: string) => change(own, assistantId, { paused: true }),
  };
};

type BuiltInParts = {
  db: Db;
  settings: SettingsTable;
  /** Returns the connected account, or null. */
  account: () => string | null;
  assistants: Pick<Assistants, 'pairLocally' | 'asker'>;
};

const settingOf = (account: string): string => `built-in assistant of ${account}`;

/**
 * Creates the built-in assistant, which the host speaks for. Its token is discarded, and it is limited, paused and
 * revoked like any other assistant. It is created once per account and not again after it is revoked.
 */
export const createBuiltInAssistant = ({ db, settings, account, assistants }: BuiltInParts) => {
  const id = (): string | null => {
    const now = account();
    return now === null ? null : settings.read(settingOf(now), z.string());
  };
  return {
    /** Pairs it with the connected account, once. */
    pair: (name: string): void => {
      const now = account();
      if (now === null || id() !== null) return;
      db.transaction(() => settings.write(settingOf(now), assistants.pairLocally(name).assistantId))();
    },
    /** The id for the connected account, even if it is paused or revoked; null if it was never paired. */
    id,
    /** Returns it as an asker; null if it is paused or revoked. */
    asker: (): (Asker & { kind: 'assistant' }) | null => {
      const known = id();
      return known === null ? null : assistants.asker(known);
    },
    is: (by: Asker): boolean => by.kind === 'assistant' && by.assistantId === id(),
  };
};
