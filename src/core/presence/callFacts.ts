import { isRecord, toRecordOrEmpty } from '../base/json.ts';
import type { CallSubjects, Ceremony } from './ceremonies.ts';
import type { Challenge, Purpose, Total } from './proof.ts';

/** One protected call. `input` is its parsed input. */
export type ProtectedCall = { call: string; input: unknown; subjects: CallSubjects };

/** What a proof must cover: approvals with their total, or one call with one input. */
export type ProofNeed =
  | { approvals: Challenge['approvals']; total: Total; account: string }
  | { purpose: Purpose; account: string; about: ProtectedCall };

/** Fields with secrets of the person. No page shows them, and no row stores them. */
const secretFields = new Set(['key', 'code']);
export const hideSecrets = (input: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(toRecordOrEmpty(input)).filter(([name]) => !secretFields.has(name)));

const maxStoredChars = 200;
const maxStoredParts = 5;
const maxStoredFields = 20;
const maxStoredLevels = 3;

/** Any program can send an input of any size. */
const shortenValue = (value: unknown, levels: number): unknown => {
  if (typeof value === 'string') return value.length > maxStoredChars ? `${value.slice(0, maxStoredChars)}…` : value;
  if (!isRecord(value)) return value;
  if (levels === 0) return '…';
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, maxStoredFields)
        .map(([name, part]) => [name, shortenValue(part, levels - 1)]),
    );
  const parts = value.slice(0, maxStoredParts).map((part: unknown) => shortenValue(part, levels - 1));
  return value.length > maxStoredParts ? [...parts, '…'] : parts;
};

/** The facts of a ledger row that say what a call does. The content of a request to the service is left out. */
const toCallFacts = ({ call, input, subjects }: ProtectedCall): Record<string, unknown> => {
  const { input: _content, ...fields } = hideSecrets(input);
  return {
    call,
    input: shortenValue(fields, maxStoredLevels),
    subjects: shortenValue(
      Object.fromEntries(Object.entries(subjects).filter(([name]) => Object.hasOwn(fields, name))),
      1,
    ),
  };
};

const toApprovalFacts = (approvals: readonly { id: string }[]): Record<string, unknown> => {
  const ids = approvals.map(({ id }) => id);
  return ids.length === 1 ? { approvalId: ids[0] } : { approvalIds: ids };
};

/** The facts of a ledger row that say what a proof is needed for. */
export const toNeedFacts = (need: ProofNeed): Record<string, unknown> =>
  'purpose' in need ? toCallFacts(need.about) : toApprovalFacts(need.approvals);

/** The facts of a ledger row that say what a ceremony is about. */
export const toCeremonyFacts = ({
  challenge: { purpose, approvals },
  drawn,
}: Pick<Ceremony, 'challenge' | 'drawn'>): Record<string, unknown> => {
  if (drawn.of === 'approvals') return { call: purpose.call, approvalIds: approvals.map(({ id }) => id) };
  if (drawn.of === 'call') return toCallFacts(drawn);
  const { kind, label } = drawn;
  return toCallFacts({ call: purpose.call, input: { kind, label }, subjects: {} });
};

const listLeafFields = (input: unknown): string[] =>
  Object.entries(toRecordOrEmpty(input)).flatMap(([name, value]) =>
    isRecord(value) && !Array.isArray(value) ? listLeafFields(value) : /Id$/.test(name) ? [] : [name],
  );

/**
 * Refusals with the same name count together. A change of one field has the name of the field. Several fields can be
 * combined in any number of ways, as the rows of a batch can, so all combinations have the same name.
 */
export const toNeedName = (need: ProofNeed): string => {
  if (!('purpose' in need)) return need.approvals.length === 1 ? String(need.approvals[0]?.id) : 'batch';
  const fields = listLeafFields(hideSecrets(need.about.input));
  return [need.about.call, ...(fields.length < 2 ? fields : ['several'])].join(' ');
};
