import * as z from 'zod';
import type { RouteName } from '../../contract/index.ts';
import { Problem } from '../../core/base/problem.ts';
import type { BatchRecord, BatchRowRecord } from '../assistantRecords.ts';
import { toServiceCode, listingId, liveLink, nextStep, untrusted, warnings } from './fields.ts';
import { chooseStepForBatch, findBatchState } from './nextSteps.ts';
import { callOrRequestApproval, createCallKey, requestOrResume, type pendingAnswer } from './serviceCalls.ts';
import type { ToolContext } from './tool.ts';

const areDifferent = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;
const namedTwice = 'Name each listing once.';
const maxListings = 200;

/** Returns the schema of a list with a row for each listing. */
export const createRowsSchema = <R extends z.ZodType<{ listingId: string }>>(row: R) =>
  z
    .array(row)
    .min(1)
    .max(maxListings)
    .refine((rows) => areDifferent(rows.map((one) => one.listingId)), namedTwice)
    .optional();

export const listingIds = z
  .array(listingId)
  .min(1)
  .max(maxListings)
  .refine(areDifferent, namedTwice)
  .optional()
  .describe('Instead: 2 to 200 listings in one prompt.');

const batchRow = z.object({
  listingId,
  state: z.string(),
  code: z.string().optional(),
  untrustedOutcome: untrusted.optional(),
  retryAfterS: z.int().optional(),
  ...z.object(liveLink).partial().shape,
  warnings: warnings.optional(),
});

export const batchAnswer = z.object({
  state: z.enum(['waiting_for_person', 'under_way', 'over']),
  requestId: z.string().describe('Give it to check_request.'),
  counts: z.record(z.string(), z.int()).describe('How many listings are in each state.'),
  rows: z.array(batchRow).describe('The listings that are decided, refused or weak.'),
  nextStep,
});

const toBatchRow = ({ listingId: id, approval, ...problem }: BatchRowRecord): z.input<typeof batchRow> => {
  const { outcome, liveUrl, liveUrlNotChecked, warnings: weak = [] } = approval ?? {};
  const code = toServiceCode(problem.code ?? approval?.code);
  // A row that is done as requested says nothing more, because 200 rows would say the same.
  const said = problem.error ?? (approval?.state === 'done' && code === null ? undefined : outcome);
  const retryAfterS = problem.retryAfterS ?? approval?.retryAfterS;
  return {
    listingId: id,
    state: approval?.state ?? 'refused',
    ...(code === null ? {} : { code }),
    ...(said === undefined ? {} : { untrustedOutcome: said }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
    ...(liveUrl ? { liveUrl } : {}),
    ...(liveUrlNotChecked ? { liveUrlNotChecked } : {}),
    ...(weak.length === 0 ? {} : { warnings: weak }),
  };
};

const countByState = (states: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(states, (state) => state)].map(([state, { length }]) => [state, length]));

const isRowUntouched = ({ state, code, warnings: weak }: z.input<typeof batchRow>): boolean =>
  state === 'pending' && code === undefined && weak === undefined;

/** Returns a batch with its counts, and with those rows that say more than that they wait. */
export const toBatchAnswer = ({ batchId, rows }: BatchRecord): z.input<typeof batchAnswer> => {
  const shown = rows.map(toBatchRow);
  const states = shown.map(({ state }) => state);
  return {
    state: findBatchState(states),
    requestId: batchId,
    counts: countByState(states),
    rows: shown.filter((row) => !isRowUntouched(row)),
    nextStep: chooseStepForBatch(
      rows.map(({ approval, code, declinedBecause, retryAfterS }) => ({
        state: approval?.state ?? 'refused',
        code: toServiceCode(code ?? approval?.code),
        declinedBecause: declinedBecause ?? approval?.declinedBecause,
        retryAfterS,
      })),
    ),
  };
};

type ListingRequest = { listingId: string; body: Record<string, unknown> };
type BatchCall = { route: RouteName; rows: readonly ListingRequest[]; reason?: string | undefined; waitS: number };

const toRequests = ({ route, rows }: BatchCall) =>
  rows.map(({ listingId: id, body }) => ({ route, input: { params: { listingId: id }, body } }));

type RowRequest = ReturnType<typeof toRequests>[number];

const compareListingIds = ({ input: one }: RowRequest, { input: other }: RowRequest): number =>
  one.params.listingId < other.params.listingId ? -1 : 1;

const isOver = (batch: BatchRecord): boolean => toBatchAnswer(batch).state === 'over';

const requestBatch = async (
  { api, by }: ToolContext,
  requests: RowRequest[],
  reason?: string,
): Promise<BatchRecord> => {
  const [batch] = await api.askTogether(by, requests, reason);
  if (!batch) throw new Error('A batch of one kind has one prompt.');
  return batch;
};

/** Requests one approval for each row, in one prompt, and waits up to `waitS` seconds until none is undecided. */
const requestBatchApproval = async (context: ToolContext, call: BatchCall): Promise<z.input<typeof batchAnswer>> => {
  const { api, by, signal, undelivered } = context;
  const requests = toRequests(call);
  const key = createCallKey(context, 'batch', requests.toSorted(compareListingIds));
  const record = await requestOrResume(context, {
    key,
    undelivered: undelivered.batches,
    request: () => {
      const asked = requestBatch(context, requests, call.reason);
      // The rows take time to read, and a client that gives up before their end repeats the call.
      undelivered.batches.keep(key, asked);
      return asked;
    },
    findPendingId: (batch) => (isOver(batch) ? null : batch.batchId),
    awaitDecision: (batchId) => api.batch(by, batchId, call.waitS * 1_000, signal),
  });
  return toBatchAnswer(record);
};

type DoneAnswer = Parameters<Parameters<typeof callOrRequestApproval>[2]>[0];

/** Requests the approval of one listing, or one prompt for several listings. `done` answers for one listing. */
export const requestForListings = <T>(
  context: ToolContext,
  call: BatchCall,
  done: (answer: DoneAnswer) => T,
): Promise<T | z.input<typeof pendingAnswer> | z.input<typeof batchAnswer>> => {
  const { route, reason, waitS } = call;
  const [only, ...others] = toRequests(call);
  return only && others.length === 0
    ? callOrRequestApproval(context, { route, input: only.input, reason, waitS }, done)
    : requestBatchApproval(context, call);
};

type NamedListings = { listingId?: string | undefined; listingIds?: readonly string[] | undefined };

/** Returns the listings that a call names in either way. Throws `INVALID_REQUEST` unless it names them in one way. */
export const requireListingIds = ({ listingId: id, listingIds: ids }: NamedListings): readonly string[] => {
  if ((id === undefined) === (ids === undefined))
    throw new Problem('INVALID_REQUEST', 'Name either a listingId or listingIds.', { field: 'listingId' });
  return ids ?? [id ?? ''];
};
