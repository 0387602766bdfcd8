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
  /** The account that is connected now, or null. */
  account: () => string | null;
};

/** The assistants of the connected account, by their ids. */
type Roster = {
  /** Those of every account, also those whose end is known outside the database only. */
  all: () => AssistantRow[];
  rows: () => Map<string, AssistantRow>;
  /** They are read anew the next time. */
  forget: () => void;
  /** The same, and windows are told. */
  touched: () => void;
};

/** Read with every request of every assistant, written a few times a day: kept as it is until something changes. */
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

/** What the acts on assistants share. */
type Own = Parts & { roster: Roster; record: (kind: string, facts: Record<string, unknown>) => void };

/** A first start takes who is there as they are; who was revoked and came back goes again. */
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

/** Pairs a client that the person connects from here: there are no two codes to compare. */
const pairLocally = (own: Own, name: string): { assistantId: string; token: string } => {
  const token = newToken();
  const assistantId = own.db.transaction(() => admit(own, name, sha256(token)))();
  own.changed('assistants');
  return { assistantId, token };
};

/** The assistant of the connected account that holds this token. Compared as hashes, in constant time. */
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
  // Not with every request: each write waits for the disk.
  if (usedAt !== null && ages.ageMs(use, usedAt) <= usedEveryMs) return;
  ages.note(use);
  table.noteUse(assistantId, clock.now());
  roster.touched();
};

/** The assistant that makes a request with this token, or null; its use is noted. */
const whose = (own: Own, token: string): (Asker & { kind: 'assistant'; paused: boolean }) | null => {
  const found = holderOf(own, token);
  if (!found) return null;
  noteUse(own, found);
  return { kind: 'assistant', assistantId: found.assistant_id, name: found.name, paused: isPausedRow(found) };
};

/** Sets what the person changed; what is left out stays. Who is held stays held until it may go on. */
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
    // Known outside the database first: whatever ends this here, the earlier rights are not in force any more.
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

/** Who was let in while no account was connected is let in for the first one that is. */
const adopt = ({ table, access, account, roster }: Own): void => {
  const ofNone = roster.all().filter((row) => row.account === null && !access.isGone(row.assistant_id));
  // Which account one is let in for is a right like any other; who is held is so for this one as well.
  for (const { assistant_id: id, held, stamp } of ofNone) table.adopt(id, account(), held ? stamp : access.admit(id));
  if (ofNone.length > 0) roster.touched();
};

/** The limits that the person set for an assistant. */
const limitsOf = (row: AssistantRow) => ({
  publishesPerDay: row.publishes_per_day,
  moneyCentsPerDay: row.money_cents_per_day,
  touches: row.touches,
  scope: row.scope,
  folders: row.folders,
});

/** Which names are easily taken for another one's. */
const createLikenesses = (roster: Roster, pairings: Pairings) => {
  const othersThan = (assistantId: string | null): string[] =>
    [...roster.rows().values()].filter((row) => row.assistant_id !== assistantId).map((row) => row.name);
  return {
    /** Of one that asks to be let in also the names of others that ask. */
    ofPairing: ({ pairingId, name }: { pairingId: string; name: string }): NameLike | null => {
      const asking = pairings.views().filter((one) => one.pairingId !== pairingId);
      return nameLike(name, [...othersThan(null), ...asking.map((one) => one.name)]);
    },
    ofAssistant: (assistantId: string, name: string): NameLike | null => nameLike(name, othersThan(assistantId), true),
  };
};

/**
 * The assistants that were let in for the connected account, and what each may do. A token is shown once and kept as its
 * SHA-256; it says nothing while another account is connected.
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
    /** Throws when a folder of the choice is no whole path. */
    accept: (pairingId: string, chosen: PairingAccess | null = null) =>
      pairings.accept(pairingId, chosen && { ...chosen, folders: wholeFolders(chosen.folders) }),
    refuse: pairings.refuse,
    whose: (token: string) => whose(own, token),
    /** The SHA-256 of every token, or of the secret of one request to be let in: with them the companion proves itself. */
    secretHashes: (pairingId: string | null): string[] =>
      pairingId === null
        ? [...roster.rows().values()].map((row) => row.token_sha256)
        : pairings.secretHashes(pairingId),
    pairLocally: (name: string) => pairLocally(own, name),
    /** The assistant of this id as the one who makes a request now; null while it is paused, and when it is gone. */
    asker: (assistantId: string): (Asker & { kind: 'assistant' }) | null => {
      const found = roster.rows().get(assistantId);
      if (!found || isPausedRow(found)) return null;
      noteUse(own, found);
      return { kind: 'assistant', assistantId, name: found.name };
    },
    /** The id of the assistant that holds a token, without noting a use; null when nobody does. */
    holderOf: (token: string): string | null => holderOf(own, token)?.assistant_id ?? null,
    list: (used: (assistantId: string) => Used = () => ({ publishes: 0, moneyCents: 0 })) => ({
      assistants: [...roster.rows().values()].map((row) =>
        viewOf(row, used(row.assistant_id), likenesses.ofAssistant(row.assistant_id, row.name)),
      ),
      pairings: pairings.views().map((view) => ({ ...view, nameLike: likenesses.ofPairing(view) })),
    }),
    /** Why an asker's name is easily taken for another one's. */
    nameLike: (by: Asker): NameLike | null =>
      by.kind === 'person' ? null : likenesses.ofAssistant(by.assistantId, by.name),
    /** Another account is connected, or none any more: who waits to be let in, or has not taken its token, asks again. */
    accountChanged: (): void => {
      pairings.end();
      roster.touched();
    },
    adopt: () => adopt(own),
    /** Whether an assistant is still let in and not paused. */
    isActive: (assistantId: string): boolean => {
      const one = roster.rows().get(assistantId);
      return one !== undefined && !isPausedRow(one);
    },
    /** The limits that the person set for an assistant; null when it is not paired any more. */
    limits: (assistantId: string) => {
      const one = roster.rows().get(assistantId);
      return one ? limitsOf(one) : null;
    },
    change: (assistantId: string, changes: AssistantChanges) => change(own, assistantId, changes),
    revoke: (assistantId: string) => revoke(own, assistantId),
    /** "I did not ask for this": the assistant is heard no more until the person lets it. */
    pause: (assistantId: string) => change(own, assistantId, { paused: true }),
  };
};

type BuiltInParts = {
  db: Db;
  settings: SettingsTable;
  /** The account that is connected now, or null. */
  account: () => string | null;
  assistants: Pick<Assistants, 'pairLocally' | 'asker'>;
};

const settingOf = (account: string): string => `built-in assistant of ${account}`;

/**
 * The assistant that comes with the program: the host speaks for it, nobody holds its token, and the person limits, pauses
 * and revokes it like any other. An account gets it once; who sent it away does not get it again.
 */
export const createBuiltInAssistant = ({ db, settings, account, assistants }: BuiltInParts) => {
  const id = (): string | null => {
    const now = account();
    return now === null ? null : settings.read(settingOf(now), z.string());
  };
  return {
    /** Pairs it for the connected account, unless it was before. */
    pair: (name: string): void => {
      const now = account();
      if (now === null || id() !== null) return;
      db.transaction(() => settings.write(settingOf(now), assistants.pairLocally(name).assistantId))();
    },
    /** The one of the connected account, also while it is paused or gone; null where there never was one. */
    id,
    /** As the one who makes a request now; null while it is paused, and when it is gone. */
    asker: (): (Asker & { kind: 'assistant' }) | null => {
      const known = id();
      return known === null ? null : assistants.asker(known);
    },
    is: (by: Asker): boolean => by.kind === 'assistant' && by.assistantId === id(),
  };
};
