import * as z from 'zod';
import { findMessageByEnglishText } from '../../../i18n/english.ts';
import { createMessage, type Message } from '../../../i18n/message.ts';
import { toCanonicalJson } from '../../base/json.ts';
import { messageShape } from '../../base/messages.ts';
import { proofShape, type Proof } from '../../presence/proof.ts';
import { createJsonColumn, prepareStatement, type Db } from '../database.ts';
import { namespaces, type ApprovalState, type FieldChange, type Prompt, type PromptFact } from './approvalRecord.ts';

const says = messageShape.optional();
const changeShape = z.object({
  // Older changes have no key.
  key: z.string().default(''),
  label: z.string(),
  labelSays: says,
  before: z.string(),
  after: z.string(),
  foreign: z.boolean().optional(),
  says: z.object({ before: says, after: says }).optional(),
});
const factShape = z.object({
  namespace: z.enum(namespaces),
  key: z.string(),
  label: z.string(),
  labelSays: says,
  value: z.string(),
  says,
  foreign: z.boolean().optional(),
});
/** Adds the message that labels of older rows lack. */
const addLabelMessage = <T extends { label: string; labelSays?: Message | undefined }>(stored: T): T => {
  const labelSays = stored.labelSays ?? findMessageByEnglishText('facts', stored.label);
  return labelSays === undefined ? stored : { ...stored, labelSays };
};
/** In older rows, only the English label has the unit of a weight, and the text of the label has lost it since. */
const findWeightMessage = (label: string, value: string): Message | undefined =>
  /\b(?:Packed weight|Heaviest parcel) in grams\b/.test(label) && /^\d+$/.test(value)
    ? createMessage('values.weight', { weight: { grams: Number(value), units: 'metric' } })
    : undefined;

const addChangeMessages = (stored: z.infer<typeof changeShape>): FieldChange => {
  const { label, before, after } = stored;
  const weights = { before: findWeightMessage(label, before), after: findWeightMessage(label, after) };
  const { says = weights.before || weights.after ? {} : undefined, ...rest } = addLabelMessage(stored);
  return {
    ...rest,
    ...(says && { says: { before: says.before ?? weights.before, after: says.after ?? weights.after } }),
  };
};
const addFactMessages = (stored: z.infer<typeof factShape>): PromptFact => {
  const { says = findWeightMessage(stored.label, stored.value), ...rest } = addLabelMessage(stored);
  return { ...rest, ...(says && { says }) };
};
/** A changed field as the database stores it. Rows of earlier versions get the messages that they lack. */
export const storedChange = changeShape.transform((stored) => (stored.foreign ? stored : addChangeMessages(stored)));
const fact = factShape.transform((stored) =>
  stored.namespace === 'specifics' || stored.foreign ? stored : addFactMessages(stored),
);
/** The money of a prompt as the database stores it. */
export const storedMoney = z.object({
  label: says,
  state: z.enum(['fee', 'free', 'unavailable']),
  currency: z.string().nullable(),
  totalMinor: z.int().nullable(),
  lines: z.array(z.object({ name: z.string(), amountMinor: z.int(), says })),
  reason: z.string().nullable(),
  says,
  quotedAt: z.int(),
});
/** A prompt as the database stores it. */
export const storedPrompt: z.ZodType<Prompt> = z.object({
  act: z.string(),
  consequence: z.string(),
  target: z
    .object({
      listingId: z.string().nullable(),
      title: z.string(),
      photoUrl: z.string().nullable(),
      photos: z.array(z.string()).default([]),
    })
    .nullable(),
  facts: z.array(fact),
  changes: z.array(storedChange),
  money: storedMoney.nullable(),
  feeNotice: z.string().nullable(),
  // Older prompts have no main fact.
  mainFact: z.string().nullable().default(null),
  undo: z.string(),
  final: z.boolean(),
  yes: z.string(),
  says: z
    .object({ act: says, consequence: says, undo: says, yes: says, title: says, feeNotice: says, mainFact: says })
    .optional(),
});

const proofRow = z.object({ proof: createJsonColumn(proofShape) }).optional();

/** One proof can cover all rows of a batch, so proofs have their own table. */
export const createProofQueries = (db: Db) => ({
  keepProof: (proof: Proof): void =>
    void prepareStatement(db, 'insert or ignore into proofs (proof_id, proof) values (?, ?)').run(
      proof.proofId,
      toCanonicalJson(proof),
    ),
  readProof: (proofId: string): Proof | null =>
    proofRow.parse(prepareStatement(db, 'select proof from proofs where proof_id = ?').get(proofId))?.proof ?? null,
});

/** The columns that store the ledger position at which an approval reaches one of the states. */
export const ledgerPositionColumns: readonly (readonly [string, readonly ApprovalState[]])[] = [
  ['answered_seq', ['approved', 'declined', 'expired', 'withdrawn', 'superseded']],
  ['settled_seq', ['done', 'failed']],
];

/** The columns that store the time at which an approval reaches a state. */
export const timeColumns: Partial<Record<ApprovalState, string>> = {
  pending: 'shown_at',
  approved: 'decided_at',
  declined: 'decided_at',
  sending: 'sent_at',
};
