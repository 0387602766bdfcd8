import * as z from 'zod';
import type { RouteName } from '../../../contract/index.ts';
import { toCanonicalJson, findListingId } from '../../base/json.ts';
import { prepareStatement, createMemoisedJsonColumn, textValues, type Db } from '../database.ts';
import { messageShape } from '../../base/messages.ts';
import { declineReasons, type DeclineReason } from '../../base/problem.ts';
import {
  type ApprovalOutcome,
  type ApprovalState,
  type FieldChange,
  type Prompt,
  isFinalState,
  findApprovalTransition,
  type ApprovalEvent,
  routeName,
  subjectShape,
  type StoredSubject,
  type Subject,
} from './approvalRecord.ts';
import { type Asker, askerShape } from '../../base/request.ts';
import { evidenceShape, type PresenceEvidence } from '../../presence/windowSessions.ts';
import {
  createProofQueries,
  ledgerPositionColumns,
  storedChange,
  storedMoney,
  storedPrompt,
  timeColumns,
} from './approvalColumns.ts';

const outcome: z.ZodType<ApprovalOutcome> = z.object({
  sentence: z.string(),
  code: z.string().nullable(),
  url: z.string().nullable(),
  says: messageShape.optional(),
  unseen: z.array(z.string()).optional(),
});
const answer = z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.unknown() });
export type StoredAnswer = z.infer<typeof answer>;
const states = [
  'pending',
  'approved',
  'sending',
  'done',
  'failed',
  'unconfirmed',
  'declined',
  'expired',
  'withdrawn',
  'superseded',
] as const;

const row = z.object({
  approval_id: z.string(),
  account: z.string(),
  asker: createMemoisedJsonColumn(askerShape),
  asker_id: z.string(),
  route: routeName,
  subject: createMemoisedJsonColumn(subjectShape),
  request_digest: z.string(),
  digest: z.string(),
  state: z.enum(states),
  prompt: createMemoisedJsonColumn(storedPrompt),
  listing_id: z.string().nullable(),
  reason: z.string().nullable(),
  since_shown: createMemoisedJsonColumn(z.array(storedChange)),
  asked_at: z.int(),
  shown_at: z.int(),
  expires_at: z.int(),
  decided_at: z.int().nullable(),
  sent_at: z.int().nullable(),
  settled_at: z.int().nullable(),
  answer: createMemoisedJsonColumn(answer).nullable(),
  outcome: createMemoisedJsonColumn(outcome).nullable(),
  superseded_by: z.string().nullable(),
  batch_id: z.string().nullable(),
  held_until: z.int().nullable(),
  /** Null if the live listing has not been compared with the subject. */
  checked_at: z.int().nullable(),
  differences: createMemoisedJsonColumn(z.array(storedChange)),
  declined_because: z.enum(declineReasons).nullable(),
  /** Positions in the ledger. A clock change does not affect them. */
  place_seq: z.int(),
  asked_seq: z.int(),
  answered_seq: z.int().nullable(),
  settled_seq: z.int().nullable(),
  /** 1 if the request corrects a request that the person had just declined. */
  is_correction: z.literal([0, 1]),
  /** 1 if the asker changed the listing before this approval ended or its prompt was replaced. */
  changed_by_asker: z.literal([0, 1]),
  /** How the person gave the yes; null if there was none, or if an older version stored it. */
  evidence: createMemoisedJsonColumn(evidenceShape).nullable(),
  /** The proof of the yes; null if no proof was set up. */
  proof_id: z.string().nullable(),
  /** The item to remove after the request is done, because its quantity is then part of the listing. */
  added_item_id: z.string().nullable(),
});
export type ApprovalRow = z.infer<typeof row>;
export const approvalParts = { state: row.shape.state, route: routeName, outcome, money: storedMoney };
const rows = z.array(row);
const addedItems = z.array(z.object({ approval_id: z.string(), added_item_id: z.string() }));
export type AddedItem = z.infer<typeof addedItems>[number];
const pendingTimes = z.array(row.pick({ approval_id: true, shown_at: true, expires_at: true }));
type PendingTimes = z.infer<typeof pendingTimes>[number];
const pendingPrompts = z.array(row.pick({ approval_id: true, asker_id: true, batch_id: true }));
const usages = z.array(
  row.pick({ approval_id: true, route: true, state: true }).extend({
    code: z.string().nullable(),
    money: createMemoisedJsonColumn(storedMoney.nullable()),
    at: z.int(),
  }),
);
export type ApprovalUsage = z.infer<typeof usages>[number];
type PendingPrompt = z.infer<typeof pendingPrompts>[number];

export type NewApproval = {
  approvalId: string;
  account: string;
  asker: Asker;
  askerId: string;
  route: RouteName;
  subject: Subject;
  requestDigest: string;
  digest: string;
  prompt: Prompt;
  reason: string | null;
  sinceShown: FieldChange[];
  askedAt: number;
  shownAt: number;
  expiresAt: number;
  batchId: string | null;
  /** The position of the previous prompt, which this prompt replaces; null if this prompt gets a new position. */
  placeSeq: number | null;
  askedSeq: number | null;
  isCorrection: boolean;
  addedItemId: string | null;
};

type TransitionValues = {
  at: number;
  answer?: StoredAnswer;
  outcome?: ApprovalOutcome;
  supersededBy?: string;
  heldUntil?: number;
  declinedBecause?: DeclineReason;
  isChangedByAsker?: boolean;
  evidence?: PresenceEvidence;
  proofId?: string | undefined;
};

export type ApprovalsTable = ReturnType<typeof createApprovalsTable>;

export const createApprovalsTable = (db: Db) => ({
  ...createAccountQueries(db),
  ...createAskerQueries(db),
  ...createGlobalQueries(db),
  ...createApprovalWriteQueries(db),
  ...createProofQueries(db),
  ...createAddedItemQueries(db),
});

const readApprovalRows = (db: Db, sql: string, ...values: unknown[]): ApprovalRow[] =>
  rows.parse(prepareStatement(db, sql).all(...values));

const createAccountQueries = (db: Db) => ({
  read: (approvalId: string): ApprovalRow | null =>
    readApprovalRows(db, 'select * from approvals where approval_id = ?', approvalId)[0] ?? null,
  inState: (account: string, ...wanted: ApprovalState[]): ApprovalRow[] =>
    readApprovalRows(
      db,
      `select * from approvals where account = ? and state in (${wanted.map(() => '?').join(', ')}) order by place_seq, rowid`,
      account,
      ...wanted,
    ),
  pendingOfListing: (account: string, listingId: string): ApprovalRow[] =>
    readApprovalRows(
      db,
      `select * from approvals where account = ? and listing_id = ? and state = 'pending' order by rowid`,
      account,
      listingId,
    ),
  /** Reads no subjects, because every request of a batch reads this. */
  pendingPrompts: (account: string): PendingPrompt[] =>
    pendingPrompts.parse(
      prepareStatement(
        db,
        `select approval_id, asker_id, batch_id from approvals where account = ? and state = 'pending'`,
      ).all(account),
    ),
  pendingTimes: (account: string): PendingTimes[] =>
    pendingTimes.parse(
      prepareStatement(
        db,
        `select approval_id, shown_at, expires_at from approvals where account = ? and state = 'pending' order by place_seq, rowid`,
      ).all(account),
    ),
  newest: (account: string, count: number): ApprovalRow[] =>
    readApprovalRows(
      db,
      `select * from approvals where account = ? and state not in ('pending', 'superseded') order by place_seq desc, rowid desc limit ?`,
      account,
      count,
    ),
  lastSettled: (account: string, listingId: string, routes: readonly RouteName[]): ApprovalRow | null =>
    readApprovalRows(
      db,
      `select * from approvals where account = ? and listing_id = ? and state in ('done', 'failed')
           and route in (${routes.map(() => '?').join(', ')}) order by settled_seq desc, rowid desc limit 1`,
      account,
      listingId,
      ...routes,
    )[0] ?? null,
  waitingSame: (requestDigest: string): ApprovalRow | null =>
    readApprovalRows(
      db,
      `select * from approvals where request_digest = ? and state in ('pending', 'approved', 'sending', 'unconfirmed')
           order by rowid desc`,
      requestDigest,
    )[0] ?? null,
});

/** The plus signs keep SQLite from using indexes by which it would read all approvals of an account or asker. */
const createAskerQueries = (db: Db) => ({
  ofAsker: (account: string, askerId: string): ApprovalRow[] =>
    readApprovalRows(
      db,
      'select * from approvals where account = ? and asker_id = ? order by rowid desc limit 100',
      account,
      askerId,
    ),
  /**
   * Returns what the asker's open approvals cost, and the approvals that were sent or decided since a time. Reads neither
   * subjects nor prompts, because every request of a batch reads this.
   */
  readUsageSince: (account: string, askerId: string, since: number): ApprovalUsage[] =>
    usages.parse(
      prepareStatement(
        db,
        `select approval_id, route, state, outcome ->> '$.code' as code, prompt -> '$.money' as money,
             coalesce(sent_at, decided_at, asked_at) as at from approvals where +account = ? and rowid in
           (select rowid from approvals where asker_id = ? and coalesce(sent_at, decided_at, asked_at) >= ? union all
           select rowid from approvals where asker_id = ? and state in ('pending', 'approved', 'sending', 'unconfirmed'))`,
      ).all(account, askerId, since, askerId),
    ),
  /**
   * Returns an asker's approvals of these routes that were shown, decided or settled since a time. If `listingId` is not
   * null, approvals of other listings are left out.
   */
  ofRoutesSince: (
    account: string,
    askerId: string,
    { routes, listingId, since }: { routes: readonly RouteName[]; listingId: string | null; since: number },
  ): ApprovalRow[] =>
    readApprovalRows(
      db,
      `select * from approvals where +account = ? and asker_id = ? and coalesce(settled_at, decided_at, shown_at) >= ?
           and (listing_id is null or listing_id = coalesce(?, listing_id))
           and route in (${routes.map(() => '?').join(', ')}) order by rowid`,
      ...[account, askerId, since, listingId],
      ...routes,
    ),
  /** Returns all approvals of each batch in which at least one approval was settled since a time. */
  ofBatchesSince: (account: string, askerId: string, since: number): ApprovalRow[] =>
    readApprovalRows(
      db,
      `select * from approvals where +account = ? and +asker_id = ? and batch_id in
           (select batch_id from approvals where asker_id = ? and settled_at >= ? and batch_id is not null) order by rowid`,
      ...[account, askerId, askerId, since],
    ),
});

const createAddedItemQueries = (db: Db) => ({
  /** Returns the items that are not needed any more, because a done request has added their quantity to a listing. */
  listAddedItems: (account: string): AddedItem[] =>
    addedItems.parse(
      prepareStatement(
        db,
        `select approval_id, added_item_id from approvals
           where account = ? and state = 'done' and added_item_id is not null order by rowid`,
      ).all(account),
    ),
  /** The first item of a request stays, so that the quantity of one request removes one item. */
  setAddedItem: (approvalId: string, itemId: string): void =>
    void prepareStatement(
      db,
      'update approvals set added_item_id = ? where approval_id = ? and added_item_id is null',
    ).run(itemId, approvalId),
  forgetAddedItem: (approvalId: string): void =>
    void prepareStatement(db, 'update approvals set added_item_id = null where approval_id = ?').run(approvalId),
});

const createGlobalQueries = (db: Db) => {
  const settled = db
    .prepare(
      'select approval_id from approvals where state in (select value from json_each(?)) order by place_seq, rowid',
    )
    .pluck();
  return {
    settledIds: (): string[] => textValues.parse(settled.all(JSON.stringify(states.filter(isFinalState)))),
    /** Returns pending approvals of batches that are still being created or that a crash left incomplete. */
    waitingWithoutBatch: (account: string): ApprovalRow[] =>
      readApprovalRows(
        db,
        `select * from approvals where account = ? and state = 'pending' and batch_id is not null
             and not exists (select 1 from batches where batches.batch_id = approvals.batch_id) order by place_seq, rowid`,
        account,
      ),
    unchecked: (account: string, since: number, routes: readonly RouteName[]): ApprovalRow[] =>
      readApprovalRows(
        db,
        `select * from approvals where account = ? and state = 'done' and checked_at is null and settled_at >= ?
           and route in (${routes.map(() => '?').join(', ')})`,
        account,
        since,
        ...routes,
      ),
    openPhotos: (): Set<string> => {
      const open = "state in ('pending', 'approved', 'sending', 'unconfirmed')";
      const subjects = readApprovalRows(db, `select * from approvals where ${open}`).map((one) => one.subject);
      return new Set(subjects.flatMap((one) => (one.version === 2 ? one.photos.map(({ sha256 }) => sha256) : [])));
    },
    waitingAccounts: (): string[] =>
      textValues.parse(
        db.prepare("select distinct account from approvals where state in ('pending', 'approved')").pluck().all(),
      ),
  };
};

const nextSeq = '(select coalesce(max(seq), 0) + 1 from ledger)';

const createApprovalWriteQueries = (db: Db) => {
  const insert =
    db.prepare(`insert into approvals (approval_id, account, asker, asker_id, route, subject, listing_id, request_digest,
      digest, state, prompt, reason, since_shown, asked_at, shown_at, expires_at, batch_id, place_seq, asked_seq, is_correction,
      added_item_id)
    values (:approvalId, :account, :asker, :askerId, :route, :subject, :listingId, :requestDigest,
      :digest, 'pending', :prompt, :reason, :sinceShown, :askedAt, :shownAt, :expiresAt, :batchId,
      coalesce(:placeSeq, ${nextSeq}), coalesce(:askedSeq, ${nextSeq}), :isCorrection,
      :addedItemId)`);
  return {
    add: (a: NewApproval): void =>
      void insert.run({
        ...a,
        asker: JSON.stringify(a.asker),
        subject: toCanonicalJson(a.subject),
        listingId: getSubjectListingId(a.subject),
        prompt: JSON.stringify(a.prompt),
        sinceShown: JSON.stringify(a.sinceShown),
        isCorrection: a.isCorrection ? 1 : 0,
      }),
    /** Returns false and changes nothing if the event is not possible in the current state. */
    move: (approvalId: string, event: ApprovalEvent, marks: TransitionValues): boolean => {
      const { from, to } = findApprovalTransition(event);
      const stamp = timeColumns[to] ?? 'settled_at';
      const [seqColumn] = ledgerPositionColumns.find(([, reached]) => reached.includes(to)) ?? [];
      const seq = seqColumn === undefined ? '' : ` ${seqColumn} = ${nextSeq},`;
      const done = db
        .prepare(
          `update approvals set state = ?, ${stamp} = ?,${seq} answer = coalesce(?, answer), outcome = coalesce(?, outcome),
             superseded_by = coalesce(?, superseded_by), held_until = coalesce(?, held_until),
             declined_because = coalesce(?, declined_because), changed_by_asker = max(?, changed_by_asker),
             evidence = coalesce(?, evidence), proof_id = coalesce(?, proof_id)
           where approval_id = ? and state in (${from.map(() => '?').join(', ')})`,
        )
        .run(
          to,
          marks.at,
          marks.answer ? JSON.stringify(marks.answer) : null,
          marks.outcome ? JSON.stringify(marks.outcome) : null,
          marks.supersededBy ?? null,
          marks.heldUntil ?? null,
          marks.declinedBecause ?? null,
          marks.isChangedByAsker ? 1 : 0,
          marks.evidence ? JSON.stringify(marks.evidence) : null,
          marks.proofId ?? null,
          approvalId,
          ...from,
        );
      return done.changes === 1;
    },
    /** Must be called before the answer is compared with the listing. */
    keepAnswer: (approvalId: string, answer: StoredAnswer): void =>
      void db
        .prepare("update approvals set answer = ? where approval_id = ? and state = 'sending'")
        .run(JSON.stringify(answer), approvalId),
    /** Only the first call for an approval has an effect and returns true. */
    noteChecked: (approvalId: string, at: number, differences: FieldChange[]): boolean =>
      db
        .prepare('update approvals set checked_at = ?, differences = ? where approval_id = ? and checked_at is null')
        .run(at, JSON.stringify(differences), approvalId).changes === 1,
  };
};

/** Returns the listing id of a subject; null if the request has none. */
export const getSubjectListingId = ({ request: { input } }: StoredSubject): string | null =>
  typeof input === 'object' && input !== null ? findListingId(input) : null;
