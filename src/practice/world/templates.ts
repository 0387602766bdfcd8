import * as z from 'zod';
import { formatIsoTime } from '../clock.ts';
import { jsonColumn, selectAllRows, selectFirstRow, runStatement } from '../database.ts';
import { createPrefixedId } from '../ids.ts';
import { refuseCall } from '../refusal.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

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
  facts: jsonColumn(templateFacts),
  createdAt: z.int(),
  updatedAt: z.int(),
});
type Template = z.infer<typeof templateRow>;

export const toApiTemplate = ({ templateId, facts, createdAt, updatedAt }: Template) => ({
  ...facts,
  templateId,
  createdAt: formatIsoTime(createdAt),
  updatedAt: formatIsoTime(updatedAt),
});

/** Returns the person's own template. Refuses an unknown template and a template of another person. */
export const requireOwnTemplate = (world: World, person: Person, templateId: string): Template => {
  const found = selectFirstRow(world.db, templateRow, 'SELECT * FROM templates WHERE templateId = ?', templateId);
  if (!found) return refuseCall(404, 'There is no template with this id.');
  if (found.userId !== person.userId) return refuseCall(403, 'This template belongs to another person.');
  return found;
};

/** Returns the templates of a person, oldest first. */
export const listPersonTemplates = (world: World, person: Person): Template[] =>
  selectAllRows(
    world.db,
    templateRow,
    'SELECT * FROM templates WHERE userId = ? ORDER BY createdAt, templateId',
    person.userId,
  );

export const insertListingTemplate = (world: World, person: Person, facts: TemplateFacts): Template => {
  const templateId = createPrefixedId('tpl');
  const now = world.clock.now();
  runStatement(
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

/** Replaces the fields of a template. Refuses a template of another person. */
export const replaceTemplateFacts = (
  world: World,
  person: Person,
  templateId: string,
  facts: TemplateFacts,
): Template => {
  runStatement(
    world.db,
    'UPDATE templates SET facts = ?, updatedAt = ? WHERE templateId = ? AND userId = ?',
    JSON.stringify(facts),
    world.clock.now(),
    templateId,
    person.userId,
  );
  return requireOwnTemplate(world, person, templateId);
};

/** Deletes a template. Listings that were created from it keep their values. */
export const deleteListingTemplate = (world: World, person: Person, templateId: string): void => {
  runStatement(world.db, 'DELETE FROM templates WHERE templateId = ? AND userId = ?', templateId, person.userId);
  runStatement(world.db, 'UPDATE people SET templateId = NULL WHERE templateId = ?', templateId);
  runStatement(world.db, 'UPDATE listings SET templateId = NULL WHERE templateId = ?', templateId);
};
