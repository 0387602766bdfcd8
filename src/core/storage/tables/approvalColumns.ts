import type { ApprovalState } from './approvalRecord.ts';
import * as z from 'zod';
import { toCanonicalJson } from '../../base/json.ts';
import { proofShape, type Proof } from '../../presence/proof.ts';
import { createJsonColumn, prepareStatement, type Db } from '../database.ts';

const row = z.object({ proof: createJsonColumn(proofShape) }).optional();

/** One proof can cover all rows of a batch, so proofs have their own table. */
export const createProofQueries = (db: Db) => ({
  keepProof: (proof: Proof): void =>
    void prepareStatement(db, 'insert or ignore into proofs (proof_id, proof) values (?, ?)').run(
      proof.proofId,
      toCanonicalJson(proof),
    ),
  readProof: (proofId: string): Proof | null =>
    row.parse(prepareStatement(db, 'select proof from proofs where proof_id = ?').get(proofId))?.proof ?? null,
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
