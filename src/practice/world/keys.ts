import * as z from 'zod';
import { limits } from '../../contract/index.ts';
import { isoOf, minuteMs } from '../clock.ts';
import { count, all, one, run } from '../database.ts';
import { newId, newSecret, sameDigest, sha256 } from '../ids.ts';
import { refuse } from '../refusal.ts';
import { recordEffect } from './journal.ts';
import type { World } from './world.ts';

/** How many assistants an account can have. */
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

/** A connected assistant. Its key itself is nowhere in the service. */
export type Key = z.infer<typeof keyRow>;

const liveSince = ({ clock }: World): number => clock.now() - limits.keyInactivityMs;

/** The assistants of a person that are still connected. */
export const liveKeys = (world: World, userId: string): Key[] =>
  all(
    world.db,
    keyRow,
    'SELECT * FROM keys WHERE userId = ? AND revokedAt IS NULL AND lastUsedAt > ? ORDER BY createdAt, rowid',
    userId,
    liveSince(world),
  );

/** Makes a key for an assistant; the only time that the key itself is seen. */
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

/** Where an account has as many assistants as it can have, the oldest one of that name makes way for the next. */
export const revokeOldestOfName = (world: World, userId: string, label: string): void => {
  const live = liveKeys(world, userId);
  const oldest = live.find((key) => key.label === label);
  if (live.length >= keyLimit && oldest) revokeKey(world, oldest);
};

/** A key by its id, whose it may be. */
export const findKey = ({ db }: World, keyId: string): Key | null =>
  one(db, keyRow, 'SELECT * FROM keys WHERE keyId = ?', keyId);

/** The live key behind what a caller sent, which counts as used now; null when it does not work. */
export const authenticateKey = (world: World, apiKey: string): Key | null => {
  const keyId = apiKey.split('.')[0] ?? '';
  const key = findKey(world, keyId);
  if (!key || !sameDigest(key.digest, sha256(apiKey))) return null;
  if (key.revokedAt !== null || key.lastUsedAt <= liveSince(world)) return null;
  const now = world.clock.now();
  // A write for every call would be many for nothing: 180 days do not mind a minute.
  if (now - key.lastUsedAt > minuteMs) run(world.db, 'UPDATE keys SET lastUsedAt = ? WHERE keyId = ?', now, keyId);
  return key;
};

/** Ends a key; what it approved ends with it. */
export const revokeKey = (world: World, key: Key): void => {
  const now = world.clock.now();
  run(world.db, 'UPDATE keys SET revokedAt = ? WHERE keyId = ?', now, key.keyId);
  run(world.db, 'UPDATE extrasApprovals SET endedAt = ? WHERE keyId = ? AND endedAt IS NULL', now, key.keyId);
  recordEffect(world, 'key', { userId: key.userId, keyId: key.keyId, what: 'revoked' });
};

/** The assistants of a person, without their keys. */
export const keysOf = (world: World, current: Key) =>
  liveKeys(world, current.userId).map((key) => ({
    keyId: key.keyId,
    label: key.label,
    connectedBy: key.madeBy,
    createdAt: isoOf(key.createdAt),
    lastUsedAt: isoOf(key.lastUsedAt),
    current: key.keyId === current.keyId,
  }));
