import * as z from 'zod';
import { limits } from '../../contract/index.ts';
import { json, one, run } from '../database.ts';
import { newSecret, sha256 } from '../ids.ts';
import type { World } from './world.ts';

/** What a link is for: the page that it opens and the act of its button. */
export const linkKinds = ['market', 'checkout', 'portal', 'channel'] as const;
export type LinkKind = (typeof linkKinds)[number];

const linkRow = z.object({
  kind: z.string(),
  userId: z.string(),
  facts: json(z.looseObject({})),
  usedAt: z.int().nullable(),
  createdAt: z.int(),
});
/** A link as the service keeps it; its token is nowhere in the service. */
export type Link = z.infer<typeof linkRow>;

/** Makes a page address that only the person has. A new one cancels the old ones of its kind. */
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

/** The link of a token while it lives and is not used; null afterwards. */
export const findOpenLink = (world: World, kind: LinkKind, token: string): Link | null => {
  const link = one(world.db, linkRow, 'SELECT * FROM links WHERE digest = ? AND kind = ?', sha256(token), kind);
  if (!link || link.usedAt !== null) return null;
  return world.clock.now() - link.createdAt < limits.connectLinkMs ? link : null;
};

/** Uses a link up; says whether it was this call that did. */
export const redeemLink = (world: World, token: string): boolean =>
  run(world.db, 'UPDATE links SET usedAt = ? WHERE digest = ? AND usedAt IS NULL', world.clock.now(), sha256(token)) ===
  1;
