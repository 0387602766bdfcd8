import { rawInput } from '../../contract/index.ts';
import { type Asker, askerIdOf } from '../base/asker.ts';
import { problem } from '../base/problem.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext, Ask } from './context.ts';
import { evidence } from './reconcile.ts';

/** How many prompts may wait: of one assistant, and in all. A batch is one prompt. */
const caps = { anAssistant: 5, all: 20 };
/** An assistant that repeats what was just declined gets the same no, not a second prompt. */
const declinedStandsMs = 10 * 60_000;

export const declined = () => problem('PERSON_DECLINED');

/** Throws TOO_MANY_WAITING where no further prompt may wait. */
export const checkCaps = ({ table, account }: ApprovalsContext, { by, batchId }: Ask): void => {
  const waiting = table.inState(account(), 'pending').filter((row) => row.batch_id !== (batchId ?? ''));
  const prompts = (rows: ApprovalRow[]): number => new Set(rows.map((row) => row.batch_id ?? row.approval_id)).size;
  const own = waiting.filter((row) => row.asker_id === askerIdOf(by));
  // Assistants that ask a lot do not keep the person from asking.
  if (by.kind === 'person' ? prompts(own) < caps.all : prompts(waiting) < caps.all && prompts(own) < caps.anAssistant)
    return;
  throw problem('TOO_MANY_WAITING.questions', { retryAfterS: 60 });
};

/** Throws PERSON_DECLINED where the person has just said no to the same. */
export const checkDeclined = ({ table, clock, account }: ApprovalsContext, by: Asker, requestDigest: string): void => {
  if (by.kind === 'person') return;
  const said = table.ofAsker(account(), by.assistantId).find((row) => row.request_digest === requestDigest);
  if (said?.state === 'declined' && clock.now() - (said.decided_at ?? 0) < declinedStandsMs) throw declined();
};

/** Photos that are on their way are waited for; the person goes before addresses that an assistant holds or asks for. */
export const checkUploads = ({ uploads }: ApprovalsContext, { by, input }: Ask): void => {
  const listingId = rawInput.parse(input).params?.['listingId'];
  if (listingId === undefined) return;
  if (by.kind === 'person') uploads.close(listingId);
  const isBusy = by.kind === 'person' ? uploads.putting : uploads.inFlight;
  if (isBusy(listingId)) throw problem('PHOTOS_UPLOADING', { retryAfterS: 5 });
};

/** The same request that is not over. One that nothing can settle any more is: it may be asked again. */
export const openSame = ({ table }: ApprovalsContext, requestDigest: string): ApprovalRow | null => {
  const same = table.waitingSame(requestDigest);
  return same?.state === 'unconfirmed' && evidence[same.route] === undefined ? null : same;
};

/** Answers the question that waits already; a batch shows only its own. Throws ALREADY_ASKED. */
export const asBefore = (same: ApprovalRow, { batchId }: Ask): ApprovalRow => {
  if (batchId !== undefined && same.batch_id !== batchId) throw problem('ALREADY_ASKED');
  return same;
};
