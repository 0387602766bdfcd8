import * as z from 'zod';
import { limits } from '../../contract/index.ts';
import { isoOf, minuteMs } from '../clock.ts';
import { count, all, one, run } from '../database.ts';
import { newId, newSecret, sameDigest, sha256 } from '../ids.ts';
import { refuse } from '../refusal.ts';
import { recordEffect } from './journal.ts';
import type { World } from './world.ts';

const keyLimit = 20;

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

/** A connected assistant. Only the digest of its key is stored. */
export type Key = z.infer<typeof keyRow>;

const liveSince = ({ clock }: World): number => clock.now() - limits.keyInactivityMs;

/** Returns the connected assistants of a person, oldest first. */
export const liveKeys = (world: World, userId: string): Key[] =>
  all(
    world.db,
    keyRow,
    'SELECT * FROM keys WHERE userId = ? AND revokedAt IS NULL AND lastUsedAt > ? ORDER BY createdAt, rowid',
    userId,
    liveSince(world),
  );

/**
 * Creates a key for an assistant. This is the only time that the key is readable. Refuses above the limit per account.
 */
export const createKey = (
  world: World,
  userId: string,
  label: string,
  madeBy: 'code' | 'settings',
): { keyId: string; apiKey: string } => {
  const live = one(
    world.db,
    count,
    'SELECT COUNT(*) AS n FROM keys WHERE userId = ? AND revokedAt IS NULL AND lastUsedAt > ?',
    userId,
    liveSince(world),
  );
  if ((live?.n ?? 0) >= keyLimit)
    refuse(
      409,
      `This account already has ${keyLimit} connected assistants. Disconnect one in the web settings first.`,
      'AGENT_KEY_LIMIT',
    );
  const keyId = newId('key');
  const apiKey = `${keyId}.${newSecret()}`;
  const now = world.clock.now();
  run(
    world.db,
    'INSERT INTO keys (keyId, userId, digest, label, madeBy, createdAt, lastUsedAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
    keyId,
    userId,
    sha256(apiKey),
    label,
    madeBy,
    now,
    now,
  );
  recordEffect(world, 'key', { userId, keyId, what: 'made' });
  return { keyId, apiKey };
};

/** Revokes the oldest key with this label if the account has reached its limit. */
export const revokeOldestOfName = (world: World, userId: string, label: string): void => {
  const live = liveKeys(world, userId);
  const oldest = live.find((key) => key.label === label);
  if (live.length >= keyLimit && oldest) revokeKey(world, oldest);
};

/** Returns a key by its id, from any account. */
export const findKey = ({ db }: World, keyId: string): Key | null =>
  one(db, keyRow, 'SELECT * FROM keys WHERE keyId = ?', keyId);

/** Returns the live key of a caller and marks it as used, or null if the key does not work. */
export const authenticateKey = (world: World, apiKey: string): Key | null => {
  const keyId = apiKey.split('.')[0] ?? '';
  const key = findKey(world, keyId);
  if (!key || !sameDigest(key.digest, sha256(apiKey))) return null;
  if (key.revokedAt !== null || key.lastUsedAt <= liveSince(world)) return null;
  const now = world.clock.now();
  // Write at most once a minute: keys expire after 180 days, so a minute of precision is enough.
  if (now - key.lastUsedAt > minuteMs) run(world.db, 'UPDATE keys SET lastUsedAt = ? WHERE keyId = ?', now, keyId);
  return key;
};

/** Revokes a key and ends its approvals of extras. */
export const revokeKey = (world: World, key: Key): void => {
  const now = world.clock.now();
  run(world.db, 'UPDATE keys SET revokedAt = ? WHERE keyId = ?', now, key.keyId);
  run(world.db, 'UPDATE extrasApprovals SET endedAt = ? WHERE keyId = ? AND endedAt IS NULL', now, key.keyId);
  recordEffect(world, 'key', { userId: key.userId, keyId: key.keyId, what: 'revoked' });
};

/** Returns the connected assistants of a person, without their keys. */
export const keysOf = (world: World, current: Key) =>
  liveKeys(world, current.userId).map((key) => ({
    keyId: key.keyId,
    label: key.label,
    connectedBy: key.madeBy,
    createdAt: isoOf(key.createdAt),
    lastUsedAt: isoOf(key.lastUsedAt),
    current: key.keyId === current.keyId,
  }));
