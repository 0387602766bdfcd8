import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallReply } from '../../../src/ipc/calls.ts';
import { callCore, registerProof } from '../../../src/renderer/src/api/call.ts';
import { shownCeremony } from '../../../src/renderer/src/api/ceremony.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  shownCeremony.get()?.leave();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Sent = { name: string; input: unknown; proofId: string | undefined };
type Status = { state: string; proofId: string | null };

const refuse = (code: string): CallReply => ({ ok: false, problem: { code, sentence: code } });

/** A core with a proof set up. A test ends the ceremony of a token with `end`. */
const stubProtectedCore = () => {
  const sent: Sent[] = [];
  const begun: unknown[] = [];
  const statuses = new Map<string, Status>();
  const valid = new Map<string, string>();
  const begin = (about: unknown): CallReply => {
    begun.push(about);
    const token = `token${begun.length}`;
    statuses.set(token, { state: 'open', proofId: null });
    return { ok: true, value: { token, expiresAt: Date.now() + 60_000, kinds: ['passkey'] } };
  };
  const answer = ({ name, input, proofId }: Sent): CallReply => {
    const { token = '' } = input as { token?: string };
    if (name === 'proofs.begin') return begin(input);
    if (name === 'proofs.result') return { ok: true, value: statuses.get(token) };
    if (name === 'proofs.open') return { ok: true, value: { url: null } };
    if (name === 'proofs.cancel') return { ok: true, value: null };
    const about = JSON.stringify({ call: name, input });
    if (proofId === undefined || valid.get(proofId) !== about) return refuse('PROOF_NEEDED');
    // A proof is valid once.
    valid.delete(proofId);
    return name === 'proofs.register' ? begin(input) : { ok: true, value: `${name} done` };
  };
  const call = async (name: string, input: unknown, proofId?: string): Promise<CallReply> => {
    const message = { name, input, proofId };
    if (!name.startsWith('proofs.') || name === 'proofs.register') sent.push(message);
    return answer(message);
  };
  const onChanged = (): (() => void) => () => undefined;
  vi.stubGlobal('window', { companion: { call, onChanged } });
  const end = async (token: string, state: string): Promise<void> => {
    const proofId = state === 'done' ? `proof of ${token}` : null;
    if (proofId !== null) valid.set(proofId, JSON.stringify(begun[Number(token.slice(5)) - 1]));
    statuses.set(token, { state, proofId });
    await vi.advanceTimersByTimeAsync(1_000);
  };
  return { sent, begun, end };
};

const approval = { approvalId: 'apr_1', digest: 'digest-1' };
const settle = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
const showNext = () => vi.advanceTimersByTimeAsync(10);

test('a call that needs a proof is repeated with it, and its caller notices nothing', async () => {
  const { sent, begun, end } = stubProtectedCore();
  const approved = callCore('approvals.approve', approval);
  await showNext();
  expect(shownCeremony.get()).toMatchObject({
    of: 'call',
    state: 'waiting',
    begun: { token: 'token1' },
  });
  expect(begun).toEqual([{ call: 'approvals.approve', input: approval }]);
  await end('token1', 'done');
  expect(await approved).toBe('approvals.approve done');
  expect(sent).toEqual([
    { name: 'approvals.approve', input: approval, proofId: undefined },
    { name: 'approvals.approve', input: approval, proofId: 'proof of token1' },
  ]);
  expect(shownCeremony.get()).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

test('a call for which the core begins no ceremony is sent without a proof', async () => {
  const sent: Sent[] = [];
  const call = async (name: string, input: unknown, proofId?: string): Promise<CallReply> => {
    if (name === 'proofs.begin') return refuse('NO_PROOF_NEEDED');
    sent.push({ name, input, proofId });
    return sent.length === 1 ? refuse('PROOF_NEEDED') : { ok: true, value: null };
  };
  vi.stubGlobal('window', { companion: { call } });
  const change = { assistantId: 'as_1', scope: 'read' } as const;
  expect(await callCore('assistants.change', change)).toBeNull();
  expect(sent.map(({ name, proofId }) => [name, proofId])).toEqual([
    ['assistants.change', undefined],
    ['assistants.change', undefined],
  ]);
  expect(shownCeremony.get()).toBeNull();
});

test('Cancel sends nothing, and the same button works again', async () => {
  const { sent, end } = stubProtectedCore();
  const refused = settle(callCore('approvals.approve', approval));
  await showNext();
  shownCeremony.get()?.leave();
  expect(await refused).toMatchObject({ code: 'NOT_CONFIRMED', message: 'You did not confirm, so nothing was done.' });
  expect(shownCeremony.get()).toBeNull();
  expect(sent).toHaveLength(1);
  const again = callCore('approvals.approve', approval);
  await showNext();
  await end('token2', 'done');
  expect(await again).toBe('approvals.approve done');
});

test.each(['cancelled', 'expired', 'refused'] as const)(
  'a ceremony that is %s says so and can be repeated',
  async (state) => {
    const { sent, end } = stubProtectedCore();
    const approved = callCore('approvals.approve', approval);
    await showNext();
    await end('token1', state);
    expect(shownCeremony.get()).toMatchObject({ state, begun: { token: 'token1' } });
    expect(sent).toHaveLength(1);
    shownCeremony.get()?.repeat?.();
    await showNext();
    expect(shownCeremony.get()).toMatchObject({ state: 'waiting', begun: { token: 'token2' } });
    await end('token2', 'done');
    expect(await approved).toBe('approvals.approve done');
  },
);

test('two simultaneous calls show their ceremonies one after the other', async () => {
  const { begun, end } = stubProtectedCore();
  const approved = callCore('approvals.approve', approval);
  const resumed = callCore('app.pause', { paused: false });
  await showNext();
  expect(begun).toEqual([{ call: 'approvals.approve', input: approval }]);
  await end('token1', 'done');
  expect(await approved).toBe('approvals.approve done');
  expect(begun.at(-1)).toEqual({ call: 'app.pause', input: { paused: false } });
  await end('token2', 'done');
  expect(await resumed).toBe('app.pause done');
});

test('the next ceremony begins even if the person left the previous one', async () => {
  const { begun, end } = stubProtectedCore();
  const refused = settle(callCore('approvals.approve', approval));
  const resumed = callCore('app.pause', { paused: false });
  await showNext();
  shownCeremony.get()?.leave();
  expect(await refused).toMatchObject({ code: 'NOT_CONFIRMED' });
  await showNext();
  expect(begun).toHaveLength(2);
  await end('token2', 'done');
  expect(await resumed).toBe('app.pause done');
});

test('if the core rejects a proof, the window does not ask for another proof', async () => {
  const { end, sent } = stubProtectedCore();
  const { companion } = window;
  const refused = settle(callCore('approvals.approve', approval));
  await showNext();
  const { call } = companion ?? { call: () => Promise.reject(new Error('no window')) };
  // The account changes during the ceremony.
  vi.stubGlobal('window', {
    companion: {
      ...companion,
      call: (name: string, input: unknown, proofId?: string) => call(name, input, proofId && 'other proof'),
    },
  });
  await end('token1', 'done');
  expect(await refused).toMatchObject({ code: 'PROOF_NEEDED' });
  expect(sent).toHaveLength(2);
  expect(shownCeremony.get()).toBeNull();
});

test('a second passkey needs a confirmation first, and then its own page', async () => {
  const { end } = stubProtectedCore();
  const registered = registerProof({ kind: 'passkey', label: 'Phone' });
  await showNext();
  expect(shownCeremony.get()).toMatchObject({ of: 'call' });
  await end('token1', 'done');
  expect(shownCeremony.get()).toMatchObject({ of: 'registration', repeat: null });
  await end('token2', 'done');
  expect(await registered).toBeUndefined();
});

test('if a proof is set up, the window begins the ceremony before the call, but only for protected calls', async () => {
  const { sent, begun, end } = stubProtectedCore();
  const settings = { approvalMinutes: 30, notify: { approvals: true } };
  const answers = new Map<string, unknown>([
    ['app.state', { connection: 'connected', settings, presence: { isSetUp: true, relaxedMinutes: 0 } }],
    ['app.settings', 'changed'],
  ]);
  const { call } = window.companion ?? {};
  const answer: typeof call = async (name, input, proofId) =>
    answers.has(name) ? { ok: true, value: answers.get(name) } : (call?.(name, input, proofId) ?? refuse('NO_HOST'));
  vi.stubGlobal('window', { companion: { ...window.companion, call: answer } });
  await callCore('app.state', {});
  const approved = callCore('approvals.approve', approval);
  await vi.dynamicImportSettled();
  await showNext();
  await end('token1', 'done');
  expect(await approved).toBe('approvals.approve done');
  expect(sent).toEqual([{ name: 'approvals.approve', input: approval, proofId: 'proof of token1' }]);
  expect(await callCore('app.settings', { approvalMinutes: 29 })).toBe('changed');
  expect(begun).toHaveLength(1);
  answers.set('app.state', { connection: 'connected', settings, presence: { isSetUp: false, relaxedMinutes: 0 } });
  await callCore('app.state', {});
});
