import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { Message } from '../../../src/i18n/message.ts';
import { promptTranslators } from '../../helpers/approvals/formatPromptLines.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const storedPrompt = z.looseObject({
  facts: z.array(z.looseObject({ key: z.string() })),
  changes: z.array(z.looseObject({ key: z.string() })),
});
const field = 'packageWeightGrams';
/** What an earlier version stored: the label has the unit, and the value is a number without a message. */
const olderLabel = { label: 'Packed weight in grams', labelSays: { key: `labels.${field}` } };
const olderChange = {
  key: field,
  ...olderLabel,
  before: 'not set',
  after: '567',
  says: { before: { key: 'values.notSet' } },
};
const olderFact = { namespace: 'listing', key: field, ...olderLabel, value: '1200' };
const sellersFact = {
  namespace: 'specifics',
  key: 'Packed weight in grams',
  label: 'Packed weight in grams',
  value: '5',
};

/** Rewrites the stored prompt as an earlier version wrote it. */
const storeOlderPrompt = (approvalId: string): void => {
  const db = new Database(join(world.dataDir, 'companion.db'));
  const text = db.prepare('select prompt from approvals where approval_id = ?').pluck().get(approvalId);
  const prompt = storedPrompt.parse(JSON.parse(z.string().parse(text)));
  const older = { ...prompt, facts: [olderFact, sellersFact], changes: [olderChange] };
  db.prepare('update approvals set prompt = ? where approval_id = ?').run(JSON.stringify(older), approvalId);
  db.close();
};

const translate = (says: Message | undefined, text: string): string | null =>
  says ? promptTranslators.de(says) : text;

test('a weight of an older approval is shown in grams, also on a site that weighs in pounds', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  const asked = await world.perform('publishListing', { params: { listingId } });
  if (asked.state !== 'pending') throw new Error('No prompt was requested.');
  await world.stop();
  storeOlderPrompt(asked.approvalId);
  await world.begin();
  const { facts, changes } = world.companion().approvals.readView(asked.approvalId).prompt;
  expect(
    facts.map(({ labelSays, label, says, value }) => [translate(labelSays, label), translate(says, value)]),
  ).toEqual([
    ['Paketgewicht', '1,2 kg (1200 g)'],
    ['Packed weight in grams', '5'],
  ]);
  expect(
    changes.map(({ says, before, after }) => [translate(says?.before, before), translate(says?.after, after)]),
  ).toEqual([['nicht angegeben', '567 g']]);
});
