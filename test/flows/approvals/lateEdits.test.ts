import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { requestPrompt, holdRequest, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import {
  readAtService,
  lateEdit,
  makeEdit,
  findDifferences,
  type Editor,
  type LateEdit,
} from '../../helpers/approvals/lateEdits.ts';
import { getApprovalRuns, getTimeLimit } from '../../helpers/approvals/oddBodies.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import type { Asker } from '../../../src/core/base/request.ts';

let world: World;
afterEach(() => world.close());

const runs = getApprovalRuns(120);
/** When the edit happens: before the approval, during its re-read, or while the publish is in flight. */
type EditTime = 'before' | 'reading' | 'sending';
type EditCase = { when: EditTime; editor: Editor; edit: LateEdit; asker: 'person' | 'assistant'; patient: boolean };

const editCase: fc.Arbitrary<EditCase> = fc.record({
  when: fc.constantFrom('before', 'reading', 'sending'),
  editor: fc.constantFrom('assistant', 'person', 'service'),
  edit: lateEdit,
  asker: fc.constantFrom('person', 'assistant'),
  patient: fc.boolean(),
});

type Askers = Record<'person' | 'assistant' | 'other', Asker>;

const gates = { reading: ['GET', '/listings/{listingId}'], sending: ['POST', '/market/publish/{listingId}'] } as const;

/** Only the service can change fees and the photo bytes at an address. */
const isAtService = ({ editor, edit }: EditCase): boolean =>
  editor === 'service' || edit.what === 'bytes' || edit.what === 'fees';

/** Approves while an edit happens at the given time; returns the approval afterwards. */
const approveDuring = async (
  shown: ApprovalView,
  when: EditTime,
  change: () => Promise<void>,
  { patient, atTheService }: { patient: boolean; atTheService: boolean },
): Promise<ApprovalView> => {
  const approveShown = () => world.pressYes(shown.approvalId, shown.digest);
  // A refused edit changes nothing.
  const tryChange = () => change().catch(() => undefined);
  if (when === 'before') return tryChange().then(approveShown);
  const [method, path] = gates[when];
  const gate = await holdRequest(world, method, path);
  const answer = approveShown();
  await gate.arrived();
  const changing = tryChange();
  if (atTheService) await changing;
  // An edit that waits for the locked listing is refused after five seconds, or continues once the listing is unlocked.
  else if (!patient)
    await Promise.race([changing, waitUntil(() => (world.clock.next() ?? Infinity) <= 5_000, 'the waiting edit')]);
  if (!patient) world.clock.advance(5_000);
  await gate.go();
  const view = await answer;
  await changing;
  return view;
};

let journalSeen = 0;
/** Returns the service's journal about the listing since the last call. */
const readJournal = async (listingId: string) => {
  const rows = await world.practice.journal(journalSeen);
  journalSeen = rows.at(-1)?.seq ?? journalSeen;
  return rows.filter((row) => row['listingId'] === listingId);
};

/** Expects that nothing was published, that the listing is live as shown, or that the person was notified. */
const checkOutcome = async (one: EditCase, shown: ApprovalView, view: ApprovalView): Promise<string> => {
  const listingId = shown.prompt.target?.listingId ?? '';
  const rows = await readJournal(listingId);
  const published = rows.some(({ kind }) => kind === 'publish');
  if (view.state !== 'done') {
    expect(published, 'published without a valid approval').toBe(false);
    return 'nothing was sent';
  }
  expect(published).toBe(true);
  const behindItsBack = one.when === 'sending' && isAtService(one);
  const charged = rows.filter(({ kind }) => kind === 'charge').map(({ amountMinor }) => Number(amountMinor));
  if (one.when !== 'sending')
    for (const fee of charged) expect(fee).toBeLessThanOrEqual(shown.prompt.money?.totalMinor ?? 0);
  const others = findDifferences(shown.prompt, await readAtService(world, listingId));
  const told = view.differences.map(({ label }) => label);
  if (others.length === 0) {
    expect(told, 'a false alarm').toEqual([]);
    return 'as shown';
  }
  expect(behindItsBack, `live with another ${others.join(', ')}`).toBe(true);
  expect(told, `no report of ${others.join(', ')}`).not.toEqual([]);
  expect(world.notices.at(-1)).toMatchObject({ kind: 'approvals', place: '/approvals' });
  return 'reported';
};

/** Resets the service's budgets and fees and declines all pending prompts. */
const resetWorld = async (): Promise<void> => {
  for (const { approvalId, digest } of world.companion().approvals.listPending())
    world.companion().approvals.decline(approvalId, digest, 'no');
  await world.practice.control('DELETE', '/faults');
  await world.practice.control('POST', '/fees', { extraMinor: 0 });
  await world.practice.advance(3_600_000);
};

const checkOne = async (askers: Askers, one: EditCase): Promise<string> => {
  const listingId = await createWrittenListing(world);
  const shown = await requestPrompt(world, 'publishListing', { params: { listingId } }, askers[one.asker]);
  const editor = one.editor === 'assistant' ? askers.other : one.editor === 'person' ? askers.person : one.editor;
  const makeChange = () => makeEdit(world, editor, listingId, one.edit);
  const how = { patient: one.patient, atTheService: isAtService(one) };
  const view = await approveDuring(shown, one.when, makeChange, how);
  const verdict = await checkOutcome(one, shown, view);
  await resetWorld();
  return verdict;
};

test(
  'no edit during a publish goes live without being reported',
  async () => {
    world = await startWorld({ person: { plan: 'Scale' } });
    const askers: Askers = {
      person: { kind: 'person' },
      assistant: pairAsker(world, 'Asker'),
      other: pairAsker(world, 'Other'),
    };
    const verdicts = new Map<string, number>();
    const property = fc.asyncProperty(editCase, async (one) => {
      const verdict = await checkOne(askers, one);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    });
    await fc.assert(property, { numRuns: runs, seed: 20_263 });
    // All three outcomes occurred, so each of them was tested.
    expect(Object.fromEntries(verdicts)).toEqual({
      'nothing was sent': expect.any(Number) as number,
      'as shown': expect.any(Number) as number,
      reported: expect.any(Number) as number,
    });
  },
  getTimeLimit(runs, 2_000),
);
