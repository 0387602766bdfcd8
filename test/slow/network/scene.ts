import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { hasUndoWindow } from '../../../src/core/approvals/undoWindow.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { limits, getRouteByName, type RawInput } from '../../../src/contract/index.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import type { Scene } from '../../helpers/practice/goodInputs.ts';
import { startWorld } from '../../helpers/world.ts';
import type { Case } from './cases.ts';
import type { Fault } from './faults.ts';
import { tellable } from './expected.ts';
import { runTime } from './runTime.ts';

/** The result of one call. */
export type Seen = {
  answer: unknown;
  problem: Problem | null;
  approval: ApprovalView | null;
  arrivals: number;
  effects: number;
  connection: string;
  offline: boolean;
};

const email = 'network@practice.example';
const everything = { plan: 'Scale', connected: true, site: 'MKT_US', email, used: 0 };
const nobody = 'http://127.0.0.1:1';
const often = 1_000;
const roundMs = 30_000;
/** Longer than the outcome of an unanswered request is checked. */
const lookedForMs = 11 * 60_000;
const person = { kind: 'person' } as const;

const counted = z.record(z.string(), z.object({ calls: z.int(), effects: z.int() }));
const placed = z.looseObject({ keyId: z.string() });
const account = z.looseObject({ userId: z.string() });

/** Starts a world in which calls meet one fault after the other. */
export const startScene = async () => {
  /** The number of requests sent, and which of them find no server. */
  const reach = { count: 0, missing: (_nth: number): boolean => false };
  const world = await startWorld({
    person: everything,
    reach: () => {
      reach.count += 1;
      return reach.missing(reach.count) ? nobody : null;
    },
  });
  const { practice, clock } = world;
  const time = runTime(practice, clock);

  const countCalls = async (route: string) =>
    counted.parse(await practice.control('GET', '/calls'))[route] ?? { calls: 0, effects: 0 };

  const readKey = async (): Promise<string> => (await world.secrets.get('agent-key practice')) ?? '';
  const createScene = async (): Promise<Scene> => {
    const agentKey = await readKey();
    const { body } = await practice.call(agentKey, 'GET', '/auth/me');
    return { practice, ann: { agentKey, userId: account.parse(body).userId } };
  };

  /** Waits until the requests after a connection are over, so that they do not fall into the test. */
  const waitUntilQuiet = async (): Promise<void> => {
    world.companion().notifications.stop();
    for (let same = 0, before = ''; same < 5;) {
      await wait(5);
      const now = JSON.stringify(await practice.control('GET', '/calls'));
      same = now === before ? same + 1 : 0;
      before = now;
    }
  };
  const ensureConnected = async (): Promise<void> => {
    await practice.control('DELETE', '/faults');
    if (world.companion().state(null).connection === 'connected') return;
    // An account can have only a limited number of keys.
    await practice.call(await readKey(), 'DELETE', '/agent/keys/current');
    await world.companion().connect.practice();
    await waitUntilQuiet();
  };

  const isGone = (): boolean => world.companion().state(null).connection === 'none';
  const waitUntilOver = async (sent: Promise<unknown>, fault: Fault, times: number): Promise<void> => {
    let ended = false;
    void sent.catch(() => undefined).finally(() => (ended = true));
    await time.until(() => ended, fault, times);
  };
  /** Ends the checks of unconfirmed approvals, so that the same request can be made again. */
  const settleUnconfirmed = async (): Promise<void> => {
    const { approvals } = world.companion();
    if (
      isGone() ||
      !approvals.listUnsettled().some(({ state, route }) => state === 'unconfirmed' && tellable.includes(route))
    )
      return;
    clock.advance(lookedForMs);
    let over = false;
    void approvals.settleUnconfirmed().finally(() => (over = true));
    while (!over) {
      clock.advance(1_000);
      await wait(1);
    }
  };

  /** Triggers the companion's periodic requests now, so that they do not fall into the test. */
  const triggerRounds = async (): Promise<void> => {
    if (world.companion().state(null).offline !== null)
      await world.companion().perform({ by: person, route: 'readIndex', input: {} });
    // An opened page is watched until its link expires.
    clock.advance(limits.connectLinkMs);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    clock.advance(roundMs);
    for (let turns = 0; turns < 5; turns += 1) await turn();
  };

  const orderFault = async ({ route }: Case, fault: Fault, times: number): Promise<void> => {
    const { method, path } = getRouteByName(route);
    const told = JSON.stringify(fault.order).replaceAll('KEY', await readKey());
    await practice.fault({ method, path, times, ...z.record(z.string(), z.unknown()).parse(JSON.parse(told)) });
  };

  /** Approves a request and waits for its outcome, through the undo window if it has one. */
  const approveAndWait = async ({ approvalId, digest }: ApprovalView): Promise<ApprovalView> => {
    const { approvals } = world.companion();
    const decided = await world.pressYes(approvalId, digest);
    const readNow = (): ApprovalView =>
      isGone() ? { ...decided, state: 'done', heldUntil: null } : approvals.readView(approvalId);
    for (;;) {
      const seen = readNow();
      if (seen.state === 'unconfirmed' && hasUndoWindow(seen.route))
        await approvals.settleUnconfirmed().catch(() => undefined);
      if (seen.state !== 'approved' && seen.state !== 'sending') return readNow();
      await wait(1);
    }
  };

  /** Makes a request that needs an approval and returns the approval. */
  const requestApproval = async ({ route }: Case, input: RawInput): Promise<ApprovalView> => {
    const outcome = await world.companion().perform({ by: person, route, input });
    if (outcome.state !== 'pending') throw new Error(`${route} needs no approval.`);
    return world.companion().approvals.readView(outcome.approvalId);
  };

  /** Returns the number of journal entries with the mark of the case. */
  const countMarks = async ({ mark }: Case): Promise<number> => (mark ? world.happened(mark) : 0);

  /** Makes one call that meets a fault, every time or only once, and returns the result. */
  const meetFault = async (one: Case, given: RawInput, fault: Fault, lasting: boolean): Promise<Seen> => {
    const { companion } = world;
    await settleUnconfirmed();
    await triggerRounds();
    const asked = one.asked ? await requestApproval(one, given) : null;
    const before = await countCalls(one.route);
    const from = reach.count;
    let missed = 0;
    // An approved request is sent in the state `sending`; earlier calls only read.
    const isSent = (nth: number): boolean =>
      asked === null ? nth > from : companion().approvals.readLatest(asked.approvalId).state === 'sending';
    const marks = await countMarks(one);
    // The same route also reads whether a notice was confirmed.
    const looks = one.mark === 'fee_confirmed' && fault.result !== 'forbidden';
    const times = lasting && !looks ? often : 1;
    if (fault.order === null)
      reach.missing = (nth) => (missed > 0 || isSent(nth)) && (lasting || missed === 0) && (missed += 1) > 0;
    else await orderFault(one, fault, times);

    const seen: Pick<Seen, 'answer' | 'problem' | 'approval'> = { answer: null, problem: null, approval: null };
    const sent = asked ? approveAndWait(asked) : companion().perform({ by: person, route: one.route, input: given });
    await waitUntilOver(sent, fault, times);
    try {
      const came = await sent;
      if ('approvalId' in came && 'prompt' in came) {
        seen.approval = came;
        // The connection is forgotten after the response.
        while (one.route === 'revokeCurrentKey' && came.state === 'done' && !isGone()) await wait(1);
        // After the key is revoked, no account is connected whose approvals could be read.
        const outcome = isGone() ? null : await companion().outcome(came.approvalId, 0);
        if (outcome?.state === 'done') seen.answer = outcome.answer;
      } else if (came.state === 'done') seen.answer = came.answer;
      else throw new Error(`${one.name} needs an approval.`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      seen.problem = error;
    }

    reach.missing = () => false;
    const met = fault.order === null ? 0 : await time.hits(times);
    await practice.control('DELETE', '/faults');
    const after = await countCalls(one.route);
    const { connection, offline } = companion().state(null);
    return {
      ...seen,
      // The service itself counted the calls that took effect despite the fault.
      arrivals: after.calls - before.calls + (fault.works ? 0 : met),
      effects: one.mark ? (await countMarks(one)) - marks : after.effects - before.effects,
      connection,
      offline: offline !== null,
    };
  };

  /** Sets up the account that a case needs and creates its input. */
  const prepareInput = async ({ person: like, input }: Case): Promise<RawInput> => {
    await ensureConnected();
    const { keyId } = placed.parse(await practice.control('POST', '/people', { ...everything, ...like }));
    await practice.control('DELETE', '/keys', { keyId });
    return input(await createScene());
  };

  return { world, ready: prepareInput, meet: meetFault, key: readKey, quiet: waitUntilQuiet, close: world.close };
};
