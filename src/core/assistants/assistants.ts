import { timingSafeEqual } from 'node:crypto';
import type { PairingAccess, PairingsTable, AssistantRow, AssistantsTable } from '../storage/tables/assistantsTable.ts';
import type { Ledger } from '../approvals/ledger/ledger.ts';
import type { Changed, Clock } from '../base/ports.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import { createProblem } from '../base/problem.ts';
import type { AccessLog } from '../storage/accessLog.ts';
import type { Db } from '../storage/database.ts';
import {
  listLedgerChanges,
  toChangedColumns,
  isAssistantPaused,
  isWiderAccess,
  toAssistantView,
  resolveAllowedFolders,
  type AssistantChanges,
  type DailyUsage,
} from './assistant.ts';
import { findNameLikeness, type NameLikeness } from '../base/similarNames.ts';
import {
  createPairingService,
  createAssistantId,
  createAssistantToken,
  hashWithSha256,
  type PairingService,
} from './pairings.ts';
import type { Asker } from '../base/request.ts';
import * as z from 'zod';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';

const useRecordIntervalMs = 60_000;

export type AssistantRegistry = ReturnType<typeof createAssistantRegistry>;

type Parts = {
  db: Db;
  table: AssistantsTable;
  pairingsTable: PairingsTable;
  clock: Clock;
  ages: StoredAgeTracker;
  changed: Changed;
  ledger: Ledger;
  access: AccessLog;
  account: () => string | null;
};

type Roster = {
  /** Returns all stored assistants, also those of other accounts and those that the access log lists as revoked. */
  all: () => AssistantRow[];
  rows: () => Map<string, AssistantRow>;
  forget: () => void;
  announceChange: () => void;
};

/** Every request needs the rows, but they rarely change, so they are cached. */
const createAssistantRoster = ({ table, access, account, changed }: Parts): Roster => {
  let known: Map<string, AssistantRow> | null = null;
  let knownFor: string | null = null;
  const all = (): AssistantRow[] =>
    table.all().map((row) => ({ ...row, held: access.isSuspended({ id: row.assistant_id, stamp: row.stamp }) }));
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
    announceChange: () => {
      known = null;
      changed('assistants');
    },
  };
};

type AssistantsContext = Parts & { roster: Roster; record: (kind: string, facts: Record<string, unknown>) => void };

/**
 * A database restored from a backup can contain revoked assistants. A new access log is empty, so it adopts all stored
 * assistants.
 */
const reconcileAccessLog = ({ db, table, access, roster, record }: AssistantsContext): void => {
  for (const { assistant_id: assistantId, name } of roster.all())
    if (access.isGone(assistantId))
      db.transaction(() => {
        table.remove(assistantId);
        record('assistant.revoked', { assistantId, name });
      })();
    else if (access.isFirstLog) table.setStamp(assistantId, access.admit(assistantId));
};

const addPairedAssistant = (
  { table, clock, account, access, roster, record }: AssistantsContext,
  { name, ...origin }: { name: string; isBuiltIn?: boolean },
  tokenSha256: string,
): string => {
  const assistantId = createAssistantId();
  table.add({
    assistant_id: assistantId,
    name,
    token_sha256: tokenSha256,
    paired_at: clock.now(),
    account: account(),
    stamp: access.admit(assistantId),
  });
  record('assistant.paired', { assistantId, name, ...origin });
  roster.forget();
  return assistantId;
};

const pairLocalClient = (
  own: AssistantsContext,
  client: { name: string; isBuiltIn?: boolean },
): { assistantId: string; token: string } => {
  const token = createAssistantToken();
  const assistantId = own.db.transaction(() => addPairedAssistant(own, client, hashWithSha256(token)))();
  own.changed('assistants');
  return { assistantId, token };
};

/** The hashes as bytes, because every request is compared with the hashes of all assistants. */
const tokenHashBytes = new WeakMap<AssistantRow, Buffer>();
const getTokenHashBytes = (row: AssistantRow): Buffer => {
  const bytes = tokenHashBytes.get(row) ?? Buffer.from(row.token_sha256, 'hex');
  tokenHashBytes.set(row, bytes);
  return bytes;
};

/** Compares with every hash in constant time, so that the duration does not reveal the token. */
const findTokenHolder = ({ roster }: AssistantsContext, token: string): AssistantRow | null => {
  const wanted = Buffer.from(hashWithSha256(token), 'hex');
  let found: AssistantRow | null = null;
  for (const one of roster.rows().values()) if (timingSafeEqual(getTokenHashBytes(one), wanted)) found = one;
  return found;
};

const recordAssistantUse = (
  { table, clock, ages, roster }: AssistantsContext,
  { assistant_id: assistantId, last_used_at: usedAt }: AssistantRow,
): void => {
  const use = `use of ${assistantId}`;
  // Record the use at most once a minute, because each write waits for the disk.
  if (usedAt !== null && ages.ageMs(use, usedAt) <= useRecordIntervalMs) return;
  ages.note(use);
  table.noteUse(assistantId, clock.now());
  roster.announceChange();
};

const authenticateToken = (
  own: AssistantsContext,
  token: string,
): (Asker & { kind: 'assistant'; paused: boolean }) | null => {
  const found = findTokenHolder(own, token);
  if (!found) return null;
  recordAssistantUse(own, found);
  return { kind: 'assistant', assistantId: found.assistant_id, name: found.name, paused: isAssistantPaused(found) };
};

const isAssistantActive = ({ roster }: AssistantsContext, assistantId: string): boolean => {
  const one = roster.rows().get(assistantId);
  return one !== undefined && !isAssistantPaused(one);
};

/** Returns whether changes let an assistant do more, so that they need a proof. An unknown assistant has no rights. */
const widensAccess = ({ roster }: AssistantsContext, assistantId: string, changes: AssistantChanges): boolean => {
  const before = roster.rows().get(assistantId);
  return before === undefined || isWiderAccess(before, changes);
};

/** A suspended assistant stays suspended unless the person resumes it. */
const changeAssistant = (
  { db, table, clock, access, roster, record }: AssistantsContext,
  assistantId: string,
  changes: AssistantChanges,
): void => {
  const before = roster.rows().get(assistantId);
  if (!before) throw createProblem('NOT_FOUND.assistant');
  const held = before.held && changes.paused !== false;
  const after = { ...before, ...toChangedColumns(changes, before, clock.now()), held };
  try {
    // Write to the access log first. Otherwise, after a crash, the earlier rights would still apply.
    if (!held) after.stamp = access.admit(assistantId);
    db.transaction(() => {
      const { held: _held, ...columns } = after;
      table.write(columns);
      for (const { kind, facts } of listLedgerChanges(before, after)) record(kind, facts);
    })();
  } finally {
    roster.announceChange();
  }
};

const revokeAssistant = ({ db, table, access, roster, record }: AssistantsContext, assistantId: string): void => {
  const gone = roster.rows().get(assistantId);
  if (!gone) return;
  try {
    access.end(assistantId);
    db.transaction(() => {
      table.remove(assistantId);
      record('assistant.revoked', { assistantId, name: gone.name });
    })();
  } finally {
    roster.announceChange();
  }
};

/** An assistant that was paired while no account was connected is assigned to the first account that connects. */
const adoptUnownedAssistants = ({ table, access, account, roster }: AssistantsContext): void => {
  const ofNone = roster.all().filter((row) => row.account === null && !access.isGone(row.assistant_id));
  // A suspended assistant keeps its previous stamp, so that it stays suspended.
  for (const { assistant_id: id, held, stamp } of ofNone) table.adopt(id, account(), held ? stamp : access.admit(id));
  if (ofNone.length > 0) roster.announceChange();
};

const toAssistantLimits = (row: AssistantRow) => ({
  publishesPerDay: row.publishes_per_day,
  moneyCentsPerDay: row.money_cents_per_day,
  touches: row.touches,
  scope: row.scope,
  shelf: row.shelf === 1,
  folders: row.folders,
});

const createNameComparison = (roster: Roster, pairings: PairingService) => {
  const listOtherNames = (assistantId: string | null): string[] =>
    [...roster.rows().values()].filter((row) => row.assistant_id !== assistantId).map((row) => row.name);
  return {
    ofPairing: ({ pairingId, name }: { pairingId: string; name: string }): NameLikeness | null => {
      const asking = pairings.views().filter((one) => one.pairingId !== pairingId);
      return findNameLikeness(name, [...listOtherNames(null), ...asking.map((one) => one.name)]);
    },
    ofAssistant: (assistantId: string, name: string): NameLikeness | null =>
      findNameLikeness(name, listOtherNames(assistantId), true),
  };
};

/**
 * Creates the registry of paired assistants and their rights. It stores only the SHA-256 of each token. A token is not
 * valid while another account is connected.
 */
export const createAssistantRegistry = (parts: Parts) => {
  const { db, pairingsTable, clock, ages, changed, ledger, access } = parts;
  const record = (kind: string, facts: Record<string, unknown>): void => ledger.append(clock.now(), kind, facts);
  const roster = createAssistantRoster(parts);
  const own: AssistantsContext = { ...parts, roster, record };
  reconcileAccessLog(own);
  const pairings = createPairingService({
    ...{ db, clock, ages, changed, record, access },
    table: pairingsTable,
    admit: (name, tokenSha256, chosen) => {
      const assistantId = addPairedAssistant(own, { name }, tokenSha256);
      if (chosen !== null) changeAssistant(own, assistantId, chosen);
    },
  });
  const likenesses = createNameComparison(roster, pairings);

  return {
    requestPairing: pairings.requestPairing,
    poll: pairings.poll,
    /** Throws `INVALID_REQUEST` if a folder path is not absolute. */
    accept: (pairingId: string, chosen: PairingAccess | null = null) =>
      pairings.accept(pairingId, chosen && { ...chosen, folders: resolveAllowedFolders(chosen.folders) }),
    refuse: pairings.refuse,
    authenticate: (token: string) => authenticateToken(own, token),
    /**
     * Returns the hashes of all tokens, or the hash of the secret of one pairing. The companion uses them to prove its
     * identity to clients.
     */
    secretHashes: (pairingId: string | null): string[] =>
      pairingId === null
        ? [...roster.rows().values()].map((row) => row.token_sha256)
        : pairings.secretHashes(pairingId),
    pairLocally: (client: { name: string; isBuiltIn?: boolean }) => pairLocalClient(own, client),
    /** Returns null if the assistant is paused, suspended or revoked. */
    asker: (assistantId: string): (Asker & { kind: 'assistant' }) | null => {
      const found = roster.rows().get(assistantId);
      if (!found || isAssistantPaused(found)) return null;
      recordAssistantUse(own, found);
      return { kind: 'assistant', assistantId, name: found.name };
    },
    /** Returns the id of the assistant with this token, or null. Does not record a use. */
    holderOf: (token: string): string | null => findTokenHolder(own, token)?.assistant_id ?? null,
    list: (used: (assistantId: string) => DailyUsage = () => ({ publishes: 0, moneyCents: 0 })) => ({
      assistants: [...roster.rows().values()].map((row) =>
        toAssistantView(row, used(row.assistant_id), likenesses.ofAssistant(row.assistant_id, row.name)),
      ),
      pairings: pairings.views().map((view) => ({ ...view, nameLike: likenesses.ofPairing(view) })),
    }),
    /** Returns why the asker's name can be confused with another name; null if it cannot. */
    nameLike: (by: Asker): NameLikeness | null =>
      by.kind === 'person' ? null : likenesses.ofAssistant(by.assistantId, by.name),
    /** Ends the pending pairings, because they belong to the previous account. */
    accountChanged: (): void => {
      pairings.end();
      roster.announceChange();
    },
    adopt: () => adoptUnownedAssistants(own),
    isActive: (assistantId: string): boolean => isAssistantActive(own, assistantId),
    /** Returns null if the assistant is not paired. */
    limits: (assistantId: string) => {
      const one = roster.rows().get(assistantId);
      return one ? toAssistantLimits(one) : null;
    },
    change: (assistantId: string, changes: AssistantChanges) => changeAssistant(own, assistantId, changes),
    widensAccess: (assistantId: string, changes: AssistantChanges) => widensAccess(own, assistantId, changes),
    revoke: (assistantId: string) => revokeAssistant(own, assistantId),
    pause: (assistantId: string) => changeAssistant(own, assistantId, { paused: true }),
  };
};

type BuiltInParts = {
  db: Db;
  settings: SettingsTable;
  account: () => string | null;
  assistants: Pick<AssistantRegistry, 'pairLocally' | 'asker'>;
};

const getBuiltInSettingName = (account: string): string => `built-in assistant of ${account}`;

/**
 * Creates the built-in assistant of the host. The host pairs it once for each account, and not again after a
 * revocation.
 */
export const createBuiltInAssistant = ({ db, settings, account, assistants }: BuiltInParts) => {
  const id = (): string | null => {
    const now = account();
    return now === null ? null : settings.read(getBuiltInSettingName(now), z.string());
  };
  return {
    pair: (name: string): void => {
      const now = account();
      if (now === null || id() !== null) return;
      db.transaction(() =>
        settings.write(getBuiltInSettingName(now), assistants.pairLocally({ name, isBuiltIn: true }).assistantId),
      )();
    },
    /**
     * Returns the id even if the assistant is paused or revoked; null if it was never paired with the connected
     * account.
     */
    id,
    asker: (): (Asker & { kind: 'assistant' }) | null => {
      const known = id();
      return known === null ? null : assistants.asker(known);
    },
    isBuiltIn: (by: Asker): boolean => by.kind === 'assistant' && by.assistantId === id(),
  };
};
