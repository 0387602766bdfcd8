import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairedAsker } from '../../helpers/assistant.ts';
import { askFor, held, writtenListing } from '../../helpers/approvals/decisions.ts';
import {
  atService,
  lateEdit,
  makeEdit,
  otherThanShown,
  type Editor,
  type LateEdit,
} from '../../helpers/approvals/lateEdits.ts';
import { approvalRuns, timeFor } from '../../helpers/approvals/oddBodies.ts';
import { settled } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import type { Asker } from '../../../src/core/base/request.ts';

let world: World;
afterEach(() => world.close());

const runs = approvalRuns(120);
/** Between prompt and yes, while the yes reads everything again, or while the publish is on its way. */
type Moment = 'before' | 'reading' | 'sending';
type Given = { moment: Moment; editor: Editor; edit: LateEdit; asker: 'person' | 'assistant'; patient: boolean };

const given: fc.Arbitrary<Given> = fc.record({
  moment: fc.constantFrom('before', 'reading', 'sending'),
  editor: fc.constantFrom('assistant', 'person', 'service'),
  edit: lateEdit,
  asker: fc.constantFrom('person', 'assistant'),
  patient: fc.boolean(),
});

type Askers = Record<'person' | 'assistant' | 'other', Asker>;

const gates = { reading: ['GET', '/listings/{listingId}'], sending: ['POST', '/market/publish/{listingId}'] } as const;

/** Bytes behind their address and fees only the service itself can change. */
const isAtService = ({ editor, edit }: Given): boolean =>
  editor === 'service' || edit.what === 'bytes' || edit.what === 'fees';

/** Approves while an edit happens at the given moment; returns the approval afterwards. */
const yesWhile = async (
  shown: ApprovalView,
  moment: Moment,
  change: () => Promise<void>,
  { patient, atTheService }: { patient: boolean; atTheService: boolean },
): Promise<ApprovalView> => {
  const yes = () => world.companion().approvals.approve(shown.approvalId, shown.digest);
  // What is refused changes nothing.
  const tried = () => change().catch(() => undefined);
  if (moment === 'before') return tried().then(yes);
  const [method, path] = gates[moment];
  const gate = await held(world, method, path);
  const answer = yes();
  await gate.arrived();
  const changing = tried();
  if (atTheService) await changing;
  // An edit that waits for the locked listing is refused after five seconds, or continues once the listing is unlocked.
  else if (!patient)
    await Promise.race([changing, settled(() => (world.clock.next() ?? Infinity) <= 5_000, 'who waits')]);
  if (!patient) world.clock.advance(5_000);
  await gate.go();
  const view = await answer;
  await changing;
  return view;
};

let journalSeen = 0;
/** What happened at the service to that listing; a listing is looked at once. */
const whatHappened = async (listingId: string) => {
  const rows = await world.practice.journal(journalSeen);
  journalSeen = rows.at(-1)?.seq ?? journalSeen;
  return rows.filter((row) => row['listingId'] === listingId);
};

/** Either nothing was published, or what is live is what was shown, or the person was told at once. */
const judge = async (one: Given, shown: ApprovalView, view: ApprovalView): Promise<string> => {
  const listingId = shown.prompt.target?.listingId ?? '';
  const rows = await whatHappened(listingId);
  const published = rows.some(({ kind }) => kind === 'publish');
  if (view.state !== 'done') {
    expect(published, 'published without a yes that holds').toBe(false);
    return 'nothing was sent';
  }
  expect(published).toBe(true);
  const behindItsBack = one.moment === 'sending' && isAtService(one);
  const charged = rows.filter(({ kind }) => kind === 'charge').map(({ amountMinor }) => Number(amountMinor));
  if (one.moment !== 'sending')
    for (const fee of charged) expect(fee).toBeLessThanOrEqual(shown.prompt.money?.totalMinor ?? 0);
  const others = otherThanShown(shown.prompt, await atService(world, listingId));
  const told = view.differences.map(({ label }) => label);
  if (others.length === 0) {
    expect(told, 'a false alarm').toEqual([]);
    return 'as shown';
  }
  expect(behindItsBack, `live with another ${others.join(', ')}`).toBe(true);
  expect(told, `nobody was told of ${others.join(', ')}`).not.toEqual([]);
  expect(world.notices.at(-1)).toMatchObject({ kind: 'approvals', place: '/approvals' });
  return 'told';
};

/** The service's daily budgets and fees are as they were, and nothing waits. */
const tidyUp = async (): Promise<void> => {
  for (const { approvalId, digest } of world.companion().approvals.listPending())
    world.companion().approvals.decline(approvalId, digest, 'no');
  await world.practice.control('DELETE', '/faults');
  await world.practice.control('POST', '/fees', { extraMinor: 0 });
  await world.practice.advance(3_600_000);
};

const oneHolds = async (askers: Askers, one: Given): Promise<string> => {
  const listingId = await writtenListing(world);
  const shown = await askFor(world, 'publishListing', { params: { listingId } }, askers[one.asker]);
  const editor = one.editor === 'assistant' ? askers.other : one.editor === 'person' ? askers.person : one.editor;
  const change = () => makeEdit(world, editor, listingId, one.edit);
  const how = { patient: one.patient, atTheService: isAtService(one) };
  const view = await yesWhile(shown, one.moment, change, how);
  const verdict = await judge(one, shown, view);
  await tidyUp();
  return verdict;
};

test(
  'whatever is edited during a publish, the listing goes live as shown, is not published, or is reported as different',
  async () => {
    world = await startWorld({ person: { plan: 'Scale' } });
    const askers: Askers = {
      person: { kind: 'person' },
      assistant: pairedAsker(world, 'Asker'),
      other: pairedAsker(world, 'Other'),
    };
    const verdicts = new Map<string, number>();
    const property = fc.asyncProperty(given, async (one) => {
      const verdict = await oneHolds(askers, one);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    });
    await fc.assert(property, { numRuns: runs, seed: 20_263 });
    // Each of the three came about, so none of them is an empty truth.
    expect(Object.fromEntries(verdicts)).toEqual({
      'nothing was sent': expect.any(Number) as number,
      'as shown': expect.any(Number) as number,
      told: expect.any(Number) as number,
    });
  },
  timeFor(runs, 2_000),
);
