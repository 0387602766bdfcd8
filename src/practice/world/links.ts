import * as z from 'zod';
import { limits } from '../../contract/index.ts';
import { jsonColumn, selectFirstRow, runStatement } from '../database.ts';
import { createRandomSecret, hashSha256Hex } from '../ids.ts';
import type { World } from './world.ts';

export const linkKinds = ['market', 'checkout', 'portal', 'channel'] as const;
export type LinkKind = (typeof linkKinds)[number];

const linkRow = z.object({
  kind: z.string(),
  userId: z.string(),
  facts: jsonColumn(z.looseObject({})),
  usedAt: z.int().nullable(),
  createdAt: z.int(),
});
export type Link = z.infer<typeof linkRow>;

/** Creates the URL of a page for one person. Earlier links of the same kind become invalid. */
export const createPersonLink = (
  world: World,
  userId: string,
  kind: LinkKind,
  facts: Record<string, unknown>,
): string => {
  const token = createRandomSecret();
  runStatement(world.db, 'DELETE FROM links WHERE userId = ? AND kind = ?', userId, kind);
  runStatement(
    world.db,
    'INSERT INTO links (digest, kind, userId, facts, createdAt) VALUES (?, ?, ?, ?, ?)',
    hashSha256Hex(token),
    kind,
    userId,
    JSON.stringify(facts),
    world.clock.now(),
  );
  return `${world.url()}/person/${kind}/${token}`;
};

/** Returns the link with this token, or null if the token is unknown, expired or used. */
export const findOpenLink = (world: World, kind: LinkKind, token: string): Link | null => {
  const link = selectFirstRow(
    world.db,
    linkRow,
    'SELECT * FROM links WHERE digest = ? AND kind = ?',
    hashSha256Hex(token),
    kind,
  );
  if (!link || link.usedAt !== null) return null;
  return world.clock.now() - link.createdAt < limits.connectLinkMs ? link : null;
};

/** Marks a link as used. Returns false if it was used before. */
export const markLinkUsed = (world: World, token: string): boolean =>
  runStatement(
    world.db,
    'UPDATE links SET usedAt = ? WHERE digest = ? AND usedAt IS NULL',
    world.clock.now(),
    hashSha256Hex(token),
  ) === 1;
