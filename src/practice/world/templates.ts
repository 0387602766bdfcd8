import * as z from 'zod';
import { isoOf } from '../clock.ts';
import { json, all, one, run } from '../database.ts';
import { newId } from '../ids.ts';
import { refuse } from '../refusal.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

/** The fields that a template sets on new listings. */
export const templateFacts = z.looseObject({
  name: z.string().min(1, 'A template needs a name.').max(100),
  marketplaceId: z.string().optional(),
  format: z.enum(['FIXED_PRICE', 'AUCTION']).optional(),
  fulfillmentPolicyId: z.string().optional(),
  paymentPolicyId: z.string().optional(),
  returnPolicyId: z.string().optional(),
  descriptionFooter: z.string().max(5_000).optional(),
  packageWeightGrams: z.int().min(1).max(1_000_000).optional(),
});
export type TemplateFacts = z.infer<typeof templateFacts>;

const templateRow = z.object({
  templateId: z.string(),
  userId: z.string(),
  facts: json(templateFacts),
  createdAt: z.int(),
  updatedAt: z.int(),
});
type Template = z.infer<typeof templateRow>;

export const toApiTemplate = ({ templateId, facts, createdAt, updatedAt }: Template) => ({
  ...facts,
  templateId,
  createdAt: isoOf(createdAt),
  updatedAt: isoOf(updatedAt),
});

/** Returns the person's own template. Refuses an unknown or foreign id. */
export const requireOwnTemplate = (world: World, person: Person, templateId: string): Template => {
  const found = one(world.db, templateRow, 'SELECT * FROM templates WHERE templateId = ?', templateId);
  if (!found) return refuse(404, 'There is no template with this id.');
  if (found.userId !== person.userId) return refuse(403, 'This template belongs to somebody else.');
  return found;
};

/** Returns the templates of a person, oldest first. */
export const templatesOf = (world: World, person: Person): Template[] =>
  all(world.db, templateRow, 'SELECT * FROM templates WHERE userId = ? ORDER BY createdAt, templateId', person.userId);

export const saveTemplate = (world: World, person: Person, facts: TemplateFacts): Template => {
  const templateId = newId('tpl');
  const now = world.clock.now();
  run(
    world.db,
    'INSERT INTO templates (templateId, userId, facts, createdAt, updatedAt) VALUES (?, ?, ?, ?, ?)',
    templateId,
    person.userId,
    JSON.stringify(facts),
    now,
    now,
  );
  return requireOwnTemplate(world, person, templateId);
};

/** Replaces the fields of a template. Refuses if the template is not the person's own. */
export const updateTemplate = (world: World, person: Person, templateId: string, facts: TemplateFacts): Template => {
  run(
    world.db,
    'UPDATE templates SET facts = ?, updatedAt = ? WHERE templateId = ? AND userId = ?',
    JSON.stringify(facts),
    world.clock.now(),
    templateId,
    person.userId,
  );
  return requireOwnTemplate(world, person, templateId);
};

/** Deletes a template. Listings created from it keep their values. */
export const deleteTemplate = (world: World, person: Person, templateId: string): void => {
  run(world.db, 'DELETE FROM templates WHERE templateId = ? AND userId = ?', templateId, person.userId);
  run(world.db, 'UPDATE people SET templateId = NULL WHERE templateId = ?', templateId);
  run(world.db, 'UPDATE listings SET templateId = NULL WHERE templateId = ?', templateId);
};
