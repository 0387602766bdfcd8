import type { NameLikeness } from '../base/similarNames.ts';
import { scopes, type AssistantScope, type AssistantRow } from '../storage/tables/assistantsTable.ts';
import { isInsideRoots } from '../photos/openInside.ts';
import { isAbsolute, resolve } from 'node:path';
import { createProblem } from '../base/problem.ts';
import { readRealPathSync } from '../../disk/realPath.ts';

export type PairingView = {
  pairingId: string;
  name: string;
  code: string;
  askedAt: number;
  expiresAt: number;
  nameLike: NameLikeness | null;
};

export type AssistantView = {
  assistantId: string;
  name: string;
  pairedAt: number;
  lastUsedAt: number | null;
  paused: boolean;
  /** True until the person confirms the rights that a restored backup brought back. */
  restored: boolean;
  nameLike: NameLikeness | null;
  /** A limit of null means no limit. */
  budget: {
    publishesPerDay: number | null;
    moneyCentsPerDay: number | null;
    publishesToday: number;
    moneyCentsToday: number;
  };
  touches: 'all' | 'own';
  scope: AssistantScope;
  /** Whether it may see and change places, SKUs, tags and notes. */
  shelf: boolean;
  folders: string[];
};

/** Only the person may open the offered page, so its address stays in the core. */
export type OfferView = {
  offerId: string;
  by: string;
  what: string;
  host: string;
  isKnown: boolean;
  at: number;
};

const maxFolders = 50;

export type DailyUsage = { publishes: number; moneyCents: number };
export type AssistantChanges = {
  paused?: boolean | undefined;
  publishesPerDay?: number | null | undefined;
  moneyCentsPerDay?: number | null | undefined;
  touches?: 'all' | 'own' | undefined;
  scope?: AssistantScope | undefined;
  shelf?: boolean | undefined;
  folders?: string[] | undefined;
};

/** Converts changes to database columns. Throws `INVALID_REQUEST` if a folder path is not absolute. */
export const toChangedColumns = (
  changes: AssistantChanges,
  before: AssistantRow,
  now: number,
): Partial<AssistantRow> => {
  const { paused, publishesPerDay, moneyCentsPerDay, touches, scope, shelf, folders } = changes;
  return {
    ...(paused === undefined ? {} : { paused_at: paused ? (before.paused_at ?? now) : null }),
    ...(publishesPerDay === undefined ? {} : { publishes_per_day: publishesPerDay }),
    ...(moneyCentsPerDay === undefined ? {} : { money_cents_per_day: moneyCentsPerDay }),
    ...(touches === undefined ? {} : { touches }),
    ...(scope === undefined ? {} : { scope }),
    ...(shelf === undefined ? {} : { shelf: shelf ? 1 : 0 }),
    ...(folders === undefined ? {} : { folders: resolveAllowedFolders(folders) }),
  };
};

/** The ledger records only the number of folders, because paths are private. */
const toLedgerLimits = (row: AssistantRow) => ({
  scope: row.scope,
  shelf: row.shelf === 1,
  touches: row.touches,
  publishesPerDay: row.publishes_per_day,
  moneyCentsPerDay: row.money_cents_per_day,
  folders: row.folders.length,
});

const isHigherLimit = (was: number | null, is: number | null): boolean => was !== null && (is === null || is > was);

type Rights = Pick<
  AssistantRow,
  'scope' | 'shelf' | 'touches' | 'publishes_per_day' | 'money_cents_per_day' | 'folders'
>;

/** Whether a change of a right lets the assistant do more. */
const widens: { readonly [Right in keyof Rights]: (before: Rights[Right], after: Rights[Right]) => boolean } = {
  scope: (before, after) => scopes.indexOf(after) > scopes.indexOf(before),
  shelf: (before, after) => after > before,
  touches: (before, after) => before === 'own' && after === 'all',
  publishes_per_day: isHigherLimit,
  money_cents_per_day: isHigherLimit,
  folders: (before, after) => !after.every((folder) => isInsideRoots(before, folder)),
};

const limits = ['scope', 'shelf', 'touches', 'publishes_per_day', 'money_cents_per_day'] as const;

/** Returns what a change widens; null if it only narrows the rights. */
const findWidening = (before: AssistantRow, after: AssistantRow): 'rights' | 'folders' | null => {
  const isWiderRight = <Right extends keyof Rights>(right: Right): boolean =>
    widens[right](before[right], after[right]);
  if (limits.some(isWiderRight)) return 'rights';
  return isWiderRight('folders') ? 'folders' : null;
};

/** Returns whether an assistant is paused or suspended. */
export const isAssistantPaused = ({ paused_at, held }: AssistantRow): boolean => held || paused_at !== null;

/** Returns whether changes let an assistant do more, so that they need a proof of the person. */
export const isWiderAccess = (before: AssistantRow, changes: AssistantChanges): boolean =>
  (changes.paused === false && isAssistantPaused(before)) ||
  findWidening(before, { ...before, ...toChangedColumns(changes, before, 0) }) !== null;

/** Returns one ledger row if the assistant was paused or resumed, and one if its limits changed. */
export const listLedgerChanges = (
  before: AssistantRow,
  after: AssistantRow,
): { kind: string; facts: Record<string, unknown> }[] => {
  const { assistant_id: assistantId, name } = after;
  const [was, is] = [toLedgerLimits(before), toLedgerLimits(after)];
  const limitsBefore = new Map<string, unknown>(Object.entries(was));
  const otherLimits = Object.entries(is).some(([name, value]) => limitsBefore.get(name) !== value);
  const otherFolders = JSON.stringify(before.folders) !== JSON.stringify(after.folders);
  const wasPaused = isAssistantPaused(before);
  const isPaused = isAssistantPaused(after);
  const facts = { assistantId, name };
  return [
    ...(wasPaused === isPaused ? [] : [{ kind: isPaused ? 'assistant.paused' : 'assistant.resumed', facts }]),
    ...(!otherLimits && !otherFolders
      ? []
      : [
          {
            kind: 'assistant.changed',
            facts: { ...facts, before: was, after: is, widens: findWidening(before, after) },
          },
        ]),
  ];
};

/** Converts a row to the view for windows. */
export const toAssistantView = (
  row: AssistantRow,
  { publishes, moneyCents }: DailyUsage,
  like: NameLikeness | null,
): AssistantView => ({
  assistantId: row.assistant_id,
  name: row.name,
  pairedAt: row.paired_at,
  lastUsedAt: row.last_used_at,
  paused: isAssistantPaused(row),
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
  shelf: row.shelf === 1,
  folders: row.folders,
});

const resolveFolderPath = (folder: string): string => {
  try {
    return readRealPathSync(folder);
  } catch {
    return resolve(folder);
  }
};

/**
 * Resolves folders to unique absolute paths. Follows links now, so that a link that changes later grants no other
 * folder. Throws `INVALID_REQUEST`.
 */
export const resolveAllowedFolders = (folders: string[]): string[] => {
  for (const folder of folders) {
    if (!isAbsolute(folder)) throw createProblem('INVALID_REQUEST.wholeFolder', { field: 'folders' });
  }
  const whole = [...new Set(folders.map(resolveFolderPath))];
  if (whole.length > maxFolders)
    throw createProblem('INVALID_REQUEST.mostFolders', { field: 'folders', values: { most: maxFolders } });
  return whole;
};
