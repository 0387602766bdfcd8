import Database from 'better-sqlite3';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import type { PersonOptions } from '../../helpers/practice.ts';
import { requestPrompt, connectAs, holdRequest, countRequests, signInAs } from '../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const first = 'first-seller@example.com';
const second = 'second-seller@example.com';
const getApprovals = () => world.companion().approvals;

/** Reads the stored state of an approval, independent of the connected account. */
const readState = (approvalId: string): unknown => {
  const db = new Database(`${world.dataDir}/companion.db`, { readonly: true });
  const state = db.prepare('select state from approvals where approval_id = ?').pluck().get(approvalId);
  db.close();
  return state;
};

/** Starts a world that is connected as the first seller. */
const startConnected = async (person: PersonOptions = {}): Promise<void> => {
  world = await startWorld({ person: null });
  await connectAs(world, first, person);
};

/** Approves a request whose response is lost; returns the id of the approval. */
const loseResponse = async <N extends RouteName>(route: N, input: InputOf<N>, fault: object): Promise<string> => {
  const { approvalId, digest } = await requestPrompt(world, route, input);
  await world.practice.fault({ ...fault });
  const yes = world.pressYes(approvalId, digest);
  await waitUntil(() => readState(approvalId) !== 'pending', 'the yes');
  if (readState(approvalId) === 'approved') {
    await yes;
    world.clock.advance(5_000);
  }
  yes.catch(() => undefined);
  await waitUntil(() => readState(approvalId) === 'unconfirmed', 'the lost answer');
  return approvalId;
};

/** Lets the clock run until all reads after a lost response are over. */
const passReads = async (seconds = 26): Promise<void> => {
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(1_000);
    await waitForAnswers();
  }
};
/** Waits until the service has answered all requests so far. */
const waitForAnswers = async (): Promise<void> => {
  for (let round = 0; round < 3; round += 1) {
    await world.practice.control('GET', '/calls');
    await turn();
  }
};

const rateCents = 55;
const extrasOn = { body: { enabled: true, acknowledgedRateCents: rateCents } };
const loseExtrasResponse = (drop: 'after' | 'before') =>
  loseResponse('setExtras', extrasOn, { method: 'PATCH', path: '/subscriptions/overage', drop });

describe('sign-in as another account while the outcome of a request is unknown', () => {
  test('the second account’s extras do not confirm a request of the first account', async () => {
    await startConnected();
    const approvalId = await loseExtrasResponse('after');
    await connectAs(world, second);
    await passReads();
    expect(readState(approvalId)).toBe('unconfirmed');
    await signInAs(world, first);
    await world.until(() => readState(approvalId) !== 'unconfirmed', 'the verdict');
    expect(getApprovals().readView(approvalId)).toMatchObject({ state: 'done' });
  });

  test('a second account without a marketplace does not confirm the first account’s disconnect', async () => {
    await startConnected();
    const approvalId = await loseResponse(
      'disconnectMarket',
      {},
      { method: 'POST', path: '/market/disconnect', drop: 'before' },
    );
    await connectAs(world, second, { connected: false });
    await passReads();
    expect(readState(approvalId)).toBe('unconfirmed');
    await signInAs(world, first);
    await world.until(() => readState(approvalId) !== 'unconfirmed', 'the verdict');
    expect(getApprovals().readView(approvalId)).toMatchObject({ state: 'failed', outcome: { code: 'NOT_DONE' } });
  });

  test('the result of a read is ignored if the account changed while the read was in flight', async () => {
    await startConnected();
    const approvalId = await loseExtrasResponse('before');
    await passReads(6);
    const read = await holdRequest(world, 'GET', '/agent/me');
    world.clock.advance(10_000);
    await read.arrived();
    await connectAs(world, second);
    await read.go();
    await waitForAnswers();
    expect(readState(approvalId)).toBe('unconfirmed');
    await signInAs(world, first);
    await world.until(() => readState(approvalId) !== 'unconfirmed', 'the verdict');
    expect(readState(approvalId)).toBe('failed');
  });

  test('a new key does not confirm that the account’s old key was revoked', async () => {
    await startConnected();
    const path = '/agent/keys/current';
    const approvalId = await loseResponse('revokeCurrentKey', {}, { method: 'DELETE', path, drop: 'after' });
    await signInAs(world, first);
    await passReads();
    expect(readState(approvalId)).toBe('unconfirmed');
  });
});

describe('responses that arrive after another account signed in', () => {
  test('the second account stays connected when the revocation of the first account’s key arrives late', async () => {
    await startConnected();
    const shown = await requestPrompt(world, 'revokeCurrentKey', {});
    const revoke = await holdRequest(world, 'DELETE', '/agent/keys/current');
    await world.pressYes(shown.approvalId, shown.digest);
    world.clock.advance(5_000);
    await revoke.arrived();
    await connectAs(world, second);
    await revoke.go();
    await waitUntil(() => readState(shown.approvalId) === 'done', 'the answer');
    await waitForAnswers();
    expect(world.companion().state(null).connection).toBe('connected');
  });

  test('a late response about the first account’s extras is recorded for the first account', async () => {
    await startConnected({ extras: true });
    const shown = await requestPrompt(world, 'approveExtras', { body: { count: 2, rateCents } });
    const approve = await holdRequest(world, 'POST', '/subscriptions/extras-approval');
    const yes = world.pressYes(shown.approvalId, shown.digest);
    yes.catch(() => undefined);
    await approve.arrived();
    await connectAs(world, second);
    await approve.go();
    await waitUntil(() => readState(shown.approvalId) === 'done', 'the answer');
    const db = new Database(`${world.dataDir}/companion.db`, { readonly: true });
    const owners = db.prepare('select account from extras_books').pluck().all();
    const asked = db.prepare('select account from approvals where approval_id = ?').pluck().get(shown.approvalId);
    db.close();
    expect(owners).toEqual([asked]);
    expect(await countRequests(world, 'approveExtras')).toBe(1);
  });
});
