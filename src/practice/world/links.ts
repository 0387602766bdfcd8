import * as z from 'zod';
import { limits } from '../../contract/index.ts';
import { json, one, run } from '../database.ts';
import { newSecret, sha256 } from '../ids.ts';
import type { World } from './world.ts';

/** The kinds of a link: each has its own page and its own action. */
export const linkKinds = ['market', 'checkout', 'portal', 'channel'] as const;
export type LinkKind = (typeof linkKinds)[number];

const linkRow = z.object({
  kind: z.string(),
  userId: z.string(),
  facts: json(z.looseObject({})),
  usedAt: z.int().nullable(),
  createdAt: z.int(),
});
/** A stored link; only the digest of its token is stored. */
export type Link = z.infer<typeof linkRow>;

/** Creates the address of a page for one person. It invalidates earlier links of the same kind. */
export const createLink = (world: World, userId: string, kind: LinkKind, facts: Record<string, unknown>): string => {
  const token = newSecret();
  run(world.db, 'DELETE FROM links WHERE userId = ? AND kind = ?', userId, kind);
  run(
    world.db,
    'INSERT INTO links (digest, kind, userId, facts, createdAt) VALUES (?, ?, ?, ?, ?)',
    sha256(token),
    kind,
    userId,
    JSON.stringify(facts),
    world.clock.now(),
  );
  return `${world.url()}/person/${kind}/${token}`;
};

/** Returns the link of a token, or null if it is unknown, expired or used. */
export const findOpenLink = (world: World, kind: LinkKind, token: string): Link | null => {
  const link = one(world.db, linkRow, 'SELECT * FROM links WHERE digest = ? AND kind = ?', sha256(token), kind);
  if (!link || link.usedAt !== null) return null;
  return world.clock.now() - link.createdAt < limits.connectLinkMs ? link : null;
};

/** Marks a link as used. Returns false if it was already used. */
export const redeemLink = (world: World, token: string): boolean =>
  run(world.db, 'UPDATE links SET usedAt = ? WHERE digest = ? AND usedAt IS NULL', world.clock.now(), sha256(token)) ===
  1;
