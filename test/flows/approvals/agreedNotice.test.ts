import Database from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { pairAsker } from '../../helpers/assistant.ts';
import {
  requestPrompt,
  holdRequest,
  performAs,
  countRequests,
  readServiceKey,
  createWrittenListing,
} from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const getApprovals = () => world.companion().approvals;
const holdFeeNotice = () => holdRequest(world, 'POST', '/listings/{listingId}/channels/fees', 1);
/** Creates a listing in review and requests its publish. */
const requestPublish = async () => {
  const listingId = await createWrittenListing(world);
  return { listingId, shown: await requestPrompt(world, 'publishListing', { params: { listingId } }) };
};
/** Requests the publish of a new listing as an assistant. */
const requestPublishAs = async (name: string) => {
  const by = pairAsker(world, name);
  const listingId = await createWrittenListing(world);
  return { by, listingId, shown: await requestPrompt(world, 'publishListing', { params: { listingId } }, by) };
};
const listLedgerKinds = (): unknown[] => {
  const db = new Database(`${world.dataDir}/companion.db`, { readonly: true });
  const kinds = db.prepare('select kind from ledger order by seq').pluck().all();
  db.close();
  return kinds;
};
const expectNothingSent = async () => expect(await world.happened('publish')).toBe(0);

test('a publish is not sent if the account’s key changes while the fee notice is confirmed', async () => {
  world = await startWorld();
  const { shown } = await requestPublish();
  const notice = await holdFeeNotice();
  const yes = world.pressYes(shown.approvalId, shown.digest);
  await notice.arrived();
  await world.companion().connect.practice();
  await notice.go();
  await yes;
  const ended = await world.until(() => {
    const now = getApprovals().readView(shown.approvalId);
    return now.state === 'failed' ? now : null;
  }, 'the verdict');
  expect(['ACCOUNT_CHANGED', 'SUPERSEDED']).toContain(ended.outcome?.code);
  expect(await countRequests(world, 'publishListing')).toBe(0);
});

/** Approves a publish whose listing is edited at the service while its fee notice is being confirmed. */
const approveWithEdit = async ({ listingId, shown }: Awaited<ReturnType<typeof requestPublish>>) => {
  const notice = await holdFeeNotice();
  const yes = world.pressYes(shown.approvalId, shown.digest);
  await notice.arrived();
  await world.practice.call(await readServiceKey(world), 'PUT', `/listings/${listingId}`, { price: 1 });
  return { notice, yes };
};
const noticeSince = { label: 'Fee notice', before: 'to be agreed', after: 'agreed' };

test('a listing edited while its fee notice is confirmed gets a new prompt', async () => {
  world = await startWorld();
  const question = await requestPublish();
  const { notice, yes } = await approveWithEdit(question);
  await notice.go();
  const next = await yes;
  expect(next.approvalId).not.toBe(question.shown.approvalId);
  expect(next).toMatchObject({ state: 'pending', prompt: { feeNotice: null } });
  expect(next.sinceShown).toContainEqual(expect.objectContaining(noticeSince));
  expect(next.sinceShown.map(({ label }) => label)).toContain('Price');
  expect(getApprovals().listPending()).toHaveLength(1);
  const before = getApprovals().readView(question.shown.approvalId);
  expect(before).toMatchObject({ state: 'superseded', supersededBy: next.approvalId });
  expect(before.outcome?.sentence).toContain('The fee notice was agreed to');
  const rows = listLedgerKinds().filter((kind) => String(kind).startsWith('approval.'));
  expect(rows).toEqual([
    'approval.asked',
    'approval.shown',
    'approval.approve',
    'approval.first_sent',
    'approval.replaced',
  ]);
  await expectNothingSent();

  expect((await world.pressYes(next.approvalId, next.digest)).state).toBe('done');
  expect([await world.happened('publish'), await world.happened('fee_confirmed')]).toEqual([1, 1]);
});

test('if a listing changes while its fee notice is confirmed, the assistant gets the new approval’s id', async () => {
  world = await startWorld();
  const { by, listingId, shown } = await requestPublishAs('Waiting');
  const { notice, yes } = await approveWithEdit({ listingId, shown });
  await notice.go();
  const { approvalId } = await yes;
  expect(approvalId).not.toBe(shown.approvalId);
  expect(await world.companion().outcome(shown.approvalId, 0)).toMatchObject({ state: 'pending', approvalId });
  const again = await performAs(world, by, 'publishListing', { params: { listingId } });
  expect(again).toMatchObject({ state: 'pending', approvalId });
  await expectNothingSent();
});

test('after a confirmed fee notice, a changed listing gets no prompt that would exceed the assistant’s budget', async () => {
  world = await startWorld();
  const { by, listingId, shown } = await requestPublishAs('Thrifty');
  const { notice, yes } = await approveWithEdit({ listingId, shown });
  world.companion().assistants.change(by.assistantId, { publishesPerDay: 0 });
  await notice.go();
  const { state, outcome } = await yes;
  expect([state, outcome?.code]).toEqual(['superseded', 'BUDGET_SPENT']);
  expect(outcome?.sentence).toContain('The fee notice was agreed to');
  expect(getApprovals().listPending()).toEqual([]);
  await expectNothingSent();
});

test('a publish fails if its assistant is paused while the fee notice is confirmed', async () => {
  world = await startWorld();
  const { by, shown } = await requestPublishAs('Paused');
  const notice = await holdFeeNotice();
  const yes = world.pressYes(shown.approvalId, shown.digest);
  await notice.arrived();
  world.companion().assistants.change(by.assistantId, { paused: true });
  expect(getApprovals().takeBack(shown.approvalId).state).not.toBe('withdrawn');
  await notice.go();
  const { state, outcome } = await yes;
  expect(state).toBe('failed');
  expect(outcome?.sentence).toContain('The fee notice was agreed to');
  await expectNothingSent();
});

describe('a restart during a publish with a fee notice', () => {
  /** Restarts the companion while a held request is at the service; returns the pending approvals. */
  const restartDuring = async (waits: Awaited<ReturnType<typeof holdRequest>>, yes: Promise<unknown>) => {
    yes.catch(() => undefined);
    await waits.arrived();
    await world.stop();
    await waits.go();
    await world.begin();
    const isDrawn = () =>
      getApprovals()
        .listPending()
        .some(({ sinceShown }) => sinceShown.length > 0);
    await world.until(isDrawn, 'the question');
    return getApprovals().listPending();
  };

  /** Expects that approving the pending prompt publishes once and confirms no second notice. */
  const expectConfirmedOnce = async (waiting: Awaited<ReturnType<typeof restartDuring>>, before: string) => {
    expect(waiting).toHaveLength(1);
    const [next] = waiting;
    expect(next?.approvalId).not.toBe(before);
    expect(next?.sinceShown).toContainEqual(expect.objectContaining(noticeSince));
    await expectNothingSent();
    await world.pressYes(before, 'x').catch(() => undefined);
    await expectNothingSent();
    expect((await world.pressYes(next?.approvalId ?? '', next?.digest ?? '')).state).toBe('done');
    expect([await world.happened('publish'), await world.happened('fee_confirmed')]).toEqual([1, 1]);
  };

  test('a fee notice that is in flight at a restart is confirmed only once', async () => {
    world = await startWorld();
    const { shown } = await requestPublish();
    const notice = await holdRequest(world, 'POST', '/listings/{listingId}/channels/fees', 1, { drop: 'after' });
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await expectConfirmedOnce(await restartDuring(notice, yes), shown.approvalId);
  });

  test('one approval is pending if a restart interrupts the re-read of the listing after the fee notice', async () => {
    world = await startWorld();
    const { shown } = await requestPublish();
    const read = await holdRequest(world, 'GET', '/listings/{listingId}', 1);
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await expectConfirmedOnce(await restartDuring(read, yes), shown.approvalId);
  });

  test('only the new approval is pending if a restart follows the creation of a new prompt', async () => {
    world = await startWorld();
    const question = await requestPublish();
    const { notice, yes } = await approveWithEdit(question);
    await notice.go();
    const { approvalId } = await yes;
    await world.stop();
    await world.begin();
    expect(
      getApprovals()
        .listPending()
        .map((one) => one.approvalId),
    ).toEqual([approvalId]);
    await expectConfirmedOnce(getApprovals().listPending(), question.shown.approvalId);
  });
});

test('a publish is not sent if the service’s response to the agreed fee notice is lost', async () => {
  world = await startWorld();
  const { shown } = await requestPublish();
  const path = '/listings/{listingId}/channels/fees';
  const notice = await holdRequest(world, 'POST', path, 1, { drop: 'after' });
  const yes = world.pressYes(shown.approvalId, shown.digest);
  await notice.arrived();
  await world.practice.fault({ method: 'POST', path, times: 1_000, drop: 'after' });
  await notice.go();
  let ended: Awaited<typeof yes> | null = null;
  void yes.then((view) => (ended = view));
  const { outcome } = await world.until(() => ended, 'the end');
  expect(outcome).toMatchObject({ code: 'NO_ANSWER' });
  expect(outcome?.sentence).toContain('The fee notice may have been agreed to');
  await expectNothingSent();
});

test('the service’s refusal of a fee notice is not recorded as its response to the publish', async () => {
  world = await startWorld();
  const { shown } = await requestPublish();
  const refusal = { status: 409, body: { error: 'The notice has changed.' } };
  const notice = await holdRequest(world, 'POST', '/listings/{listingId}/channels/fees', 1, refusal);
  const yes = world.pressYes(shown.approvalId, shown.digest);
  await notice.arrived();
  await notice.go();
  const ended = await yes;
  expect(ended.state).toBe('failed');
  expect(ended.outcome?.sentence).toContain('The notice has changed.');
  const [row] = getApprovals().listOfAsker('person');
  expect([row?.approval_id, row?.answer]).toEqual([shown.approvalId, null]);
  await expectNothingSent();
});

test('the ledger records a fee notice before the notice is sent', async () => {
  world = await startWorld();
  const { shown } = await requestPublish();
  const notice = await holdFeeNotice();
  const yes = world.pressYes(shown.approvalId, shown.digest);
  await notice.arrived();
  const rows = listLedgerKinds();
  expect(rows).toContain('approval.first_sent');
  expect(rows).not.toContain('approval.answer');
  await notice.go();
  await yes;
});
