import Database from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { pairAsker } from '../../helpers/assistant.ts';
import { holdRequest } from '../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

/** Restarts the companion with the approval left in a state, as after a crash. */
const restartInState = async (approvalId: string, state: string): Promise<void> => {
  await world.stop();
  const db = new Database(`${world.dataDir}/companion.db`);
  db.prepare('update approvals set state = ? where approval_id = ?').run(state, approvalId);
  db.close();
  await world.begin();
};

describe('a crash while an approval is open', () => {
  test('an approved request that was not sent before a crash gets a new prompt', async () => {
    world = await startWorld();
    const shown = await world.asked();
    await restartInState(shown.approvalId, 'approved');
    const [again] = await world.until(() => {
      const waiting = world.companion().approvals.listPending();
      return waiting.length > 0 ? waiting : null;
    }, 'the prompt');
    expect(again?.approvalId).not.toBe(shown.approvalId);
    expect(await world.happened('publish')).toBe(0);
    await world.pressYes(shown.approvalId, shown.digest);
    expect(await world.happened('publish')).toBe(0);
    await world.pressYes(again?.approvalId ?? '', again?.digest ?? '');
    expect(await world.happened('publish')).toBe(1);
  });

  test.each(['sending', 'unconfirmed'])(
    'a request in state "%s" that never reached the service is reported as not done',
    async (state) => {
      world = await startWorld();
      const shown = await world.asked();
      await restartInState(shown.approvalId, state);
      const verdict = await world.until(() => {
        world.clock.advance(10_000);
        const now = world.companion().approvals.readView(shown.approvalId);
        return now.state === 'failed' ? now : null;
      }, 'the verdict');
      expect(verdict.outcome?.code).toBe('NOT_DONE');
      expect(await world.happened('publish')).toBe(0);
    },
  );

  test('a publish that reached the service before a crash is reported as done', async () => {
    world = await startWorld();
    const shown = await world.asked();
    await world.pressYes(shown.approvalId, shown.digest);
    await restartInState(shown.approvalId, 'sending');
    const settled = await world.until(() => {
      const now = world.companion().approvals.readView(shown.approvalId);
      return now.state === 'done' ? now : null;
    }, 'the verdict');
    expect(settled.outcome?.url).toMatch(/^http/);
    expect(await world.happened('publish')).toBe(1);
  });

  test('a pending approval is superseded if its listing was deleted before a restart', async () => {
    world = await startWorld();
    const shown = await world.asked();
    const key = (await world.secrets.get('agent-key practice')) ?? '';
    await world.practice.call(key, 'DELETE', `/listings/${shown.listingId}`);
    await restartInState(shown.approvalId, 'pending');
    const gone = await world.until(() => {
      const now = world.companion().approvals.readView(shown.approvalId);
      return now.state === 'superseded' ? now : null;
    }, 'the end of the prompt');
    expect(gone.outcome).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a restart while the service is processing a publish', () => {
  const dayMs = 24 * 3_600_000;
  const readState = (approvalId: string) => world.companion().approvals.readView(approvalId).state;
  const restartDuringPublish = async (turnMs = 0) => {
    world = await startWorld();
    const { approvalId, digest, listingId } = await world.asked();
    const publish = await holdRequest(world, 'POST', '/market/publish/{listingId}');
    world.pressYes(approvalId, digest).catch(() => undefined);
    await publish.arrived();
    await world.stop();
    world.clock.jumpWall(turnMs);
    await world.begin();
    return { approvalId, listingId, publish };
  };
  const passTime = async (ms: number): Promise<void> => {
    const end = world.clock.now() + ms;
    await world.until(() => {
      world.clock.advance(Math.min(5_000, Math.max(0, end - world.clock.now())));
      return world.clock.now() >= end;
    }, 'the time');
  };
  const editPrice = (listingId: string) => {
    let end: unknown = null;
    world.perform('updateListing', { params: { listingId }, body: { price: 1 } }).then(
      () => (end = 'written'),
      (error: unknown) => (end = error),
    );
    return world.until(() => end, 'the end of the edit');
  };

  test.each([
    ['an unchanged clock', 0],
    ['a clock set one day ahead', dayMs],
    ['a clock set one day back', -dayMs],
  ])('with %s, a publish in progress is not reported as failed soon after a restart', async (_name, turnMs) => {
    const { approvalId, listingId, publish } = await restartDuringPublish(turnMs);
    await passTime(60_000);
    expect(readState(approvalId)).toBe('unconfirmed');
    expect(await editPrice(listingId)).toMatchObject({ code: 'BEING_DECIDED' });
    await publish.go();
    await world.until(() => readState(approvalId) === 'done', 'the verdict');
    expect(await world.happened('publish')).toBe(1);
  });

  test('a publish without a response stays unconfirmed when the clock is set one day ahead', async () => {
    const { approvalId } = await restartDuringPublish();
    await waitUntil(() => readState(approvalId) === 'unconfirmed', 'the first check');
    world.clock.jumpWall(dayMs);
    await passTime(120_000);
    expect(readState(approvalId)).toBe('unconfirmed');
  });

  test('a lost publish fails after ten minutes even if the clock is set back', async () => {
    const { approvalId, listingId } = await restartDuringPublish(-dayMs);
    await passTime(9 * 60_000);
    expect(readState(approvalId)).toBe('unconfirmed');
    await passTime(3 * 60_000);
    expect(readState(approvalId)).toBe('failed');
    expect(await editPrice(listingId)).toBe('written');
  });
});

describe('the system clock', () => {
  test('a prompt expires while the computer sleeps for a day', async () => {
    world = await startWorld();
    const shown = await world.asked();
    world.clock.suspend(24 * 3_600_000);
    expect(world.companion().approvals.listPending()).toEqual([]);
    expect((await world.pressYes(shown.approvalId, shown.digest)).state).toBe('expired');
    expect(await world.happened('publish')).toBe(0);
  });

  test.each([-24 * 3_600_000, 24 * 3_600_000])(
    'the remaining time of a prompt is unchanged when the clock jumps by %d ms',
    async (ms) => {
      world = await startWorld();
      const { expiresAt, askedAt } = await world.asked();
      world.clock.jumpWall(ms);
      const [waiting] = world.companion().approvals.listPending();
      expect(waiting?.expiresAt).toBe(expiresAt + ms);
      world.clock.advance(expiresAt - askedAt - 1_000);
      expect(world.companion().approvals.listPending()).toHaveLength(1);
      world.clock.advance(1_000);
      expect(world.companion().approvals.listPending()).toEqual([]);
    },
  );

  test('a request approved twice is sent once even if the clock is set back', async () => {
    world = await startWorld();
    const shown = await world.asked();
    world.clock.jumpWall(-24 * 3_600_000);
    expect(world.companion().approvals.listPending()).toHaveLength(1);
    await world.pressYes(shown.approvalId, shown.digest);
    await world.pressYes(shown.approvalId, shown.digest);
    expect(await world.happened('publish')).toBe(1);
  });
});

test('a publish is not sent if another assistant edits the listing before the approval', async () => {
  world = await startWorld();
  const shown = await world.asked();
  const other = pairAsker(world, 'Other');
  const edit = { params: { listingId: shown.listingId }, body: { quantity: 9 } };
  await world.companion().perform({ by: other, route: 'updateListing', input: edit });
  const next = await world.pressYes(shown.approvalId, shown.digest);
  expect(next).toMatchObject({ state: 'pending', sinceShown: [{ label: 'Quantity', before: '1', after: '9' }] });
  expect(await world.happened('publish')).toBe(0);
});
