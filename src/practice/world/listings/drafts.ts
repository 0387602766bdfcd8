import * as z from 'zod';
import { limits } from '../../../contract/index.ts';
import { findSiteById } from '../../market/sites.ts';
import { runInTransaction, selectFirstRow, runStatement } from '../../database.ts';
import { toCanonicalJson, createPrefixedId, hashSha256Hex } from '../../ids.ts';
import { refuseCall } from '../../refusal.ts';
import { recordJournalEffect } from '../journal.ts';
import { findListingById, type ListingRow } from './listings.ts';
import type { Person } from '../people.ts';
import { requireOwnTemplate } from '../templates.ts';
import type { World } from '../world.ts';

type DraftRequest = {
  additionalContext?: string | undefined;
  quantity: number;
  marketplaceId?: string | undefined;
  listingLanguage?: string | undefined;
  marketAccountId?: string | undefined;
  templateId?: string | null | undefined;
};

const idempotencyRow = z.object({ digest: z.string(), listingId: z.string(), at: z.int() });

/**
 * Returns the listing that a request with this Idempotency-Key created in the last day, or null. Refuses a key that was
 * used with another body.
 */
const findReplayedDraft = (world: World, person: Person, key: string, digest: string): ListingRow | null => {
  const used = selectFirstRow(
    world.db,
    idempotencyRow,
    'SELECT digest, listingId, at FROM idempotency WHERE userId = ? AND key = ?',
    person.userId,
    key,
  );
  if (!used || world.clock.now() - used.at >= limits.idempotencyMs) return null;
  if (used.digest !== digest)
    return refuseCall(
      409,
      'This Idempotency-Key was used in the last 24 hours with another body. Use a new key for a new item.',
      'IDEMPOTENCY_KEY_REUSED',
    );
  const listing = findListingById(world, used.listingId);
  return listing ?? refuseCall(404, 'The listing that this Idempotency-Key made was deleted. Use a new key.');
};

/**
 * A template id in the request is also stored for later drafts. If the request has no template id, the stored template
 * is used. Null removes the stored template.
 */
const chooseDraftTemplate = (world: World, person: Person, templateId: string | null | undefined) => {
  if (templateId === undefined)
    return person.templateId === null ? null : requireOwnTemplate(world, person, person.templateId);
  runStatement(world.db, 'UPDATE people SET templateId = ? WHERE userId = ?', templateId, person.userId);
  return templateId === null ? null : requireOwnTemplate(world, person, templateId);
};

const insertDraftRow = (world: World, person: Person, draft: DraftRequest): string => {
  const listingId = createPrefixedId('lst');
  const template = chooseDraftTemplate(world, person, draft.templateId);
  const marketplaceId =
    draft.marketplaceId ?? template?.facts.marketplaceId ?? person.sellerDefaults.marketplaceId ?? person.homeSite;
  const now = world.clock.now();
  runStatement(
    world.db,
    `INSERT INTO listings (listingId, userId, status, marketplaceId, listingLanguage, marketAccountId, templateId,
       additionalContext, quantity, format, packageWeightGrams, descriptionFooter, bestOffer, autoDelistOnSale,
       createdAt, updatedAt)
     VALUES (?, ?, 'draft', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    listingId,
    person.userId,
    marketplaceId,
    draft.listingLanguage ?? findSiteById(marketplaceId)?.language ?? 'en-US',
    draft.marketAccountId ?? null,
    template?.templateId ?? null,
    draft.additionalContext ?? null,
    draft.quantity,
    template?.facts.format ?? person.sellerDefaults.format ?? 'FIXED_PRICE',
    template?.facts.packageWeightGrams ?? person.sellerDefaults.packageWeightGrams ?? null,
    template?.facts.descriptionFooter ?? null,
    person.sellerDefaults.bestOffer ? JSON.stringify(person.sellerDefaults.bestOffer) : null,
    person.autoDelistDefault ? 1 : 0,
    now,
    now,
  );
  recordJournalEffect(world, 'draft', { userId: person.userId, listingId, marketplaceId });
  return listingId;
};

/** Creates a draft. A request with the same key and body within a day returns the existing draft. */
export const createListingDraft = (
  world: World,
  person: Person,
  draft: DraftRequest,
  key: string | undefined,
): { listingId: string; replayed: boolean } =>
  runInTransaction(world.db, () => {
    if (draft.marketAccountId !== undefined && draft.marketAccountId !== person.accountId)
      refuseCall(400, 'There is no connected marketplace account with this id.');
    const digest = hashSha256Hex(toCanonicalJson(draft));
    const before = key === undefined ? null : findReplayedDraft(world, person, key, digest);
    if (before) return { listingId: before.listingId, replayed: true };
    const listingId = insertDraftRow(world, person, draft);
    if (key !== undefined)
      runStatement(
        world.db,
        'INSERT OR REPLACE INTO idempotency (userId, key, digest, listingId, at) VALUES (?, ?, ?, ?, ?)',
        person.userId,
        key,
        digest,
        listingId,
        world.clock.now(),
      );
    return { listingId, replayed: false };
  });
