import * as z from 'zod';
import { limits } from '../../contract/index.ts';
import { formatIsoTime, minuteMs } from '../clock.ts';
import { countRow, selectAllRows, selectFirstRow, runStatement } from '../database.ts';
import { createPrefixedId, createRandomSecret, areDigestsEqual, hashSha256Hex } from '../ids.ts';
import { refuseCall } from '../refusal.ts';
import { recordJournalEffect } from './journal.ts';
import type { World } from './world.ts';

const maxKeysPerAccount = 20;

const keyRow = z.object({
  keyId: z.string(),
  userId: z.string(),
  digest: z.string(),
  label: z.string(),
  madeBy: z.string(),
  createdAt: z.int(),
  lastUsedAt: z.int(),
  revokedAt: z.int().nullable(),
});

/** Only the digest of the key is stored. */
export type Key = z.infer<typeof keyRow>;

const computeInactivityCutoffAt = ({ clock }: World): number => clock.now() - limits.keyInactivityMs;

/** Returns the live keys of a person, oldest first. */
export const listLiveKeys = (world: World, userId: string): Key[] =>
  selectAllRows(
    world.db,
    keyRow,
    'SELECT * FROM keys WHERE userId = ? AND revokedAt IS NULL AND lastUsedAt > ? ORDER BY createdAt, rowid',
    userId,
    computeInactivityCutoffAt(world),
  );

/**
 * Creates a key for an assistant. The key itself is not stored, so only the caller can read it. Refuses if the account
 * has too many keys.
 */
export const createAssistantKey = (
  world: World,
  userId: string,
  label: string,
  madeBy: 'code' | 'settings',
): { keyId: string; apiKey: string } => {
  const live = selectFirstRow(
    world.db,
    countRow,
    'SELECT COUNT(*) AS n FROM keys WHERE userId = ? AND revokedAt IS NULL AND lastUsedAt > ?',
    userId,
    computeInactivityCutoffAt(world),
  );
  if ((live?.n ?? 0) >= maxKeysPerAccount)
    refuseCall(
      409,
      `This account already has ${maxKeysPerAccount} connected assistants. Disconnect one in the web settings first.`,
      'AGENT_KEY_LIMIT',
    );
  const keyId = createPrefixedId('key');
  const apiKey = `${keyId}.${createRandomSecret()}`;
  const now = world.clock.now();
  runStatement(
    world.db,
    'INSERT INTO keys (keyId, userId, digest, label, madeBy, createdAt, lastUsedAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
    keyId,
    userId,
    hashSha256Hex(apiKey),
    label,
    madeBy,
    now,
    now,
  );
  recordJournalEffect(world, 'key', { userId, keyId, what: 'made' });
  return { keyId, apiKey };
};

/** If the account has the maximum number of keys, revokes its oldest key with this label. */
export const revokeOldestKeyAtLimit = (world: World, userId: string, label: string): void => {
  const live = listLiveKeys(world, userId);
  const oldest = live.find((key) => key.label === label);
  if (live.length >= maxKeysPerAccount && oldest) revokeAssistantKey(world, oldest);
};

/** Returns the key with this id, of any account. */
export const findKeyById = ({ db }: World, keyId: string): Key | null =>
  selectFirstRow(db, keyRow, 'SELECT * FROM keys WHERE keyId = ?', keyId);

/** If the key is valid, stores that it was used and returns it; otherwise returns null. */
export const authenticateApiKey = (world: World, apiKey: string): Key | null => {
  const keyId = apiKey.split('.')[0] ?? '';
  const key = findKeyById(world, keyId);
  if (!key || !areDigestsEqual(key.digest, hashSha256Hex(apiKey))) return null;
  if (key.revokedAt !== null || key.lastUsedAt <= computeInactivityCutoffAt(world)) return null;
  const now = world.clock.now();
  // Write at most once a minute: keys expire after 180 days without use, so a minute makes no difference.
  if (now - key.lastUsedAt > minuteMs)
    runStatement(world.db, 'UPDATE keys SET lastUsedAt = ? WHERE keyId = ?', now, keyId);
  return key;
};

/** Revokes a key and ends its approvals of extras. */
export const revokeAssistantKey = (world: World, key: Key): void => {
  const now = world.clock.now();
  runStatement(world.db, 'UPDATE keys SET revokedAt = ? WHERE keyId = ?', now, key.keyId);
  runStatement(world.db, 'UPDATE extrasApprovals SET endedAt = ? WHERE keyId = ? AND endedAt IS NULL', now, key.keyId);
  recordJournalEffect(world, 'key', { userId: key.userId, keyId: key.keyId, what: 'revoked' });
};

/** Returns the keys of a person as the interface lists them, without the secret API keys themselves. */
export const listApiKeys = (world: World, current: Key) =>
  listLiveKeys(world, current.userId).map((key) => ({
    keyId: key.keyId,
    label: key.label,
    connectedBy: key.madeBy,
    createdAt: formatIsoTime(key.createdAt),
    lastUsedAt: formatIsoTime(key.lastUsedAt),
    current: key.keyId === current.keyId,
  }));
