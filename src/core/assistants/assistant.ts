import type { NameLike } from '../base/similarNames.ts';
import type { AssistantScope, AssistantRow } from '../storage/tables/assistantsTable.ts';
import { isAbsolute, resolve } from 'node:path';
import { problem } from '../base/problem.ts';
import { readRealPathSync } from '../../disk/realPath.ts';

/** An assistant that asks to be let in: the person compares the code on both sides. */
export type PairingView = {
  pairingId: string;
  name: string;
  code: string;
  askedAt: number;
  expiresAt: number;
  /** Why its name is easily taken for another one's; null when it is not. */
  nameLike: NameLike | null;
};

export type AssistantView = {
  assistantId: string;
  name: string;
  pairedAt: number;
  lastUsedAt: number | null;
  paused: boolean;
  /** True while the person has not looked at it again since its rights may have come back from an older time. */
  restored: boolean;
  /** Why its name is easily taken for another one's; null when it is not. */
  nameLike: NameLike | null;
  /** The most it may have published and spent in a day, and what of it is used today. Null: no limit. */
  budget: {
    publishesPerDay: number | null;
    moneyCentsPerDay: number | null;
    publishesToday: number;
    moneyCentsToday: number;
  };
  /** Which listings it may touch. */
  touches: 'all' | 'own';
  scope: AssistantScope;
  /** The folders on this machine whose photos it may use: absolute paths. */
  folders: string[];
};

/** A page of the service that an assistant asked for and only the person may open. The address stays here. */
export type OfferView = {
  offerId: string;
  by: string;
  what: string;
  host: string;
  /** Whether pages on its host are opened without a question. */
  isKnown: boolean;
  at: number;
};

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

/** The columns that a change names. */
export const given = (changes: AssistantChanges, before: AssistantRow, now: number): Partial<AssistantRow> => {
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

/** Whether nothing is heard of an assistant: the person paused it, or has to look at it first. */
export const isPausedRow = ({ paused_at, held }: AssistantRow): boolean => held || paused_at !== null;

/** The rows for the ledger: one for being paused or let go on, one for the limits. Nothing for what stayed as it was. */
export const changesOf = (
  before: AssistantRow,
  after: AssistantRow,
): { kind: string; facts: Record<string, unknown> }[] => {
  const { assistant_id: assistantId, name } = after;
  const [was, is] = [limitsIn(before), limitsIn(after)];
  const limitsBefore = new Map<string, unknown>(Object.entries(was));
  const otherLimits = Object.entries(is).some(([name, value]) => limitsBefore.get(name) !== value);
  const otherFolders = JSON.stringify(before.folders) !== JSON.stringify(after.folders);
  const wasPaused = isPausedRow(before);
  const isPaused = isPausedRow(after);
  const facts = { assistantId, name };
  return [
    ...(wasPaused === isPaused ? [] : [{ kind: isPaused ? 'assistant.paused' : 'assistant.resumed', facts }]),
    ...(!otherLimits && !otherFolders
      ? []
      : [{ kind: 'assistant.changed', facts: { ...facts, before: was, after: is } }]),
  ];
};

/** An assistant as a window shows it. */
export const viewOf = (row: AssistantRow, { publishes, moneyCents }: Used, like: NameLike | null): AssistantView => ({
  assistantId: row.assistant_id,
  name: row.name,
  pairedAt: row.paired_at,
  lastUsedAt: row.last_used_at,
  paused: isPausedRow(row),
  restored: row.held,
  nameLike: like,
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
    return readRealPathSync(folder);
  } catch {
    return resolve(folder);
  }
};

/** The folders without repeats, each an absolute path with every link followed: where it leads now is what is allowed. */
export const wholeFolders = (folders: string[]): string[] => {
  for (const folder of folders) {
    if (!isAbsolute(folder)) throw problem('INVALID_REQUEST.wholeFolder', { field: 'folders' });
  }
  const whole = [...new Set(folders.map(realOf))];
  if (whole.length > mostFolders)
    throw problem('INVALID_REQUEST.mostFolders', { field: 'folders', values: { most: mostFolders } });
  return whole;
};
