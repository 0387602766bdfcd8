import * as z from 'zod';
import { siteId } from '../../contract/index.ts';
import { atomically } from '../database.ts';
import { refuse } from '../refusal.ts';
import { note } from '../world/journal.ts';
import { personOf } from '../world/people.ts';
import { addPolicy, policyKinds } from '../world/policies.ts';
import type { World } from '../world/world.ts';

/** A policy as the person would make it on the marketplace's own pages. */
export const placingPolicy = z.strictObject({
  userId: z.string(),
  marketplaceId: siteId,
  kind: z.enum(policyKinds),
  name: z.string().min(1).default('A policy of my own'),
  postage: z.enum(['flat', 'calculated']).optional(),
  flatMinor: z.int().min(0).optional(),
  maxWeightGrams: z.int().min(1).optional(),
});

/** Adds a policy to the marketplace account; refused with 404 when nobody has the id. */
export const placePolicy = (world: World, given: z.infer<typeof placingPolicy>): { policyId: string } =>
  atomically(world.db, () => {
    const { userId, marketplaceId, kind, name, ...facts } = given;
    if (!personOf(world, userId)) refuse(404, 'Nobody has this id.');
    const policyId = addPolicy(world, userId, marketplaceId, { kind, name, facts });
    note(world, 'policies', { userId, marketplaceId, policyIds: [policyId] });
    return { policyId };
  });
