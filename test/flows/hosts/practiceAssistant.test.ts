import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAssistantApi } from '../../../src/bridge/assistantApi.ts';
import type { Bridge } from '../../../src/bridge/startBridge.ts';
import type { Clock, Log } from '../../../src/core/base/ports.ts';
import { createHostTranslator, type HostTranslator } from '../../../src/host/hostTranslator.ts';
import type { Language } from '../../../src/i18n/languages.ts';
import { startPracticeAssistant } from '../../../src/host/practice/practiceAssistant.ts';
import { createPracticePersonProvider } from '../../../src/host/practice/practicePeople.ts';
import { pairAssistant } from '../../helpers/assistant.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let bridge: Bridge;
let stop: () => void;

/** How many waits of the practice assistant are in progress. */
let due: number;
const clock: Clock = {
  now: () => world.clock.now(),
  elapsedMs: () => world.clock.elapsedMs(),
  sleep: async (ms, signal) => {
    due += 1;
    await world.clock.sleep(ms, signal).finally(() => (due -= 1));
  },
};

let texts: HostTranslator;
const getAssistantName = async (): Promise<string> => texts.format('shell.practiceAssistant');
/** Changes the language and returns once the host uses it. */
const chooseLanguage = async (language: Language): Promise<void> => {
  const turned = new Promise<void>((resolve) => texts.onLanguageChanged(resolve));
  world.companion().changeSettings({ language });
  await turned;
};

/** Starts the practice assistant as the host does after a start. */
const startAssistant = async (): Promise<void> => {
  bridge = await world.bridge();
  const companion = world.companion();
  const api = createAssistantApi(companion, () => bridge.url);
  const log: Log = (_level, message) => world.logs.push(message);
  stop = startPracticeAssistant({ companion: { ...companion, clock }, api, texts: Promise.resolve(texts), log });
  texts.follow({ handlers: { 'app.state': async () => companion.state(null) }, onChanged: companion.onChanged });
};
const stopAssistant = async (): Promise<void> => {
  stop();
  await bridge.stop();
};
const restartCompanion = async (): Promise<void> => {
  await stopAssistant();
  await world.stop();
  await world.begin();
  await startAssistant();
};

beforeEach(async () => {
  due = 0;
  texts = createHostTranslator(['en']);
  world = await startWorld({
    person: null,
    practicePerson: (practice) => createPracticePersonProvider(practice, getAssistantName),
  });
  await startAssistant();
});
afterEach(async () => {
  await stopAssistant();
  await world.close();
});

const minute = 60_000;
const listAssistants = () => world.companion().assistants.list().assistants;
const listPrompts = () => world.companion().approvals.listPending();
const waitForPrompt = () => waitUntil(() => listPrompts()[0], 'the prompt of the practice assistant');
const assistant = 'Practice assistant';
/** Returns once all earlier requests have been processed, because another assistant's later request is answered. */
const finishEarlierRequests = async (): Promise<void> => {
  const other = await pairAssistant(world, bridge.url, 'Tidy Helper');
  expect((await other.call('GET', '/listings')).status).toBe(200);
};
/** Advances the clock by the minute after which the practice assistant would make its request. */
const advanceIdleMinute = async (): Promise<void> => {
  expect(due).toBe(0);
  world.clock.advance(minute);
  await finishEarlierRequests();
};

test('the practice assistant requests one publish after a minute', async () => {
  await world.companion().connect.practice('stocked');
  expect(listAssistants()).toMatchObject([{ name: assistant, scope: 'ask', paused: false, lastUsedAt: null }]);
  world.clock.advance(minute - 1);
  await finishEarlierRequests();
  expect(listPrompts()).toEqual([]);
  world.clock.advance(1);
  const approval = await waitForPrompt();
  expect(approval).toMatchObject({
    by: { kind: 'assistant', name: assistant },
    route: 'publishListing',
    state: 'pending',
    quiet: true,
  });
  expect(approval.reason).toContain('May I publish it?');
  expect(approval.prompt.yes).toBe('Publish for US$0.35');
  expect(listAssistants().find(({ name }) => name === assistant)?.lastUsedAt).toBe(world.clock.now());
  // The request raises no notification outside the window.
  expect(world.notices.filter(({ kind }) => kind === 'approvals')).toEqual([]);
  const listingId = approval.prompt.target?.listingId ?? '';
  expect((await world.listing(listingId)).status).toBe('pending_review');
  expect(await world.approve(approval)).toMatchObject({ state: 'done' });
  expect((await world.listing(listingId)).status).toBe('published');
});

test('a request from another assistant raises a notification in practice mode', async () => {
  await world.companion().connect.practice('stocked');
  const other = await pairAssistant(world, bridge.url, 'Tidy Helper');
  const listings = await other.call('GET', '/listings?status=pending_review');
  const [first] = listings.body['listings'] as { listingId: string }[];
  await other.call('POST', `/market/publish/${first?.listingId}`, { body: {} });
  expect(listPrompts()).toMatchObject([{ by: { name: 'Tidy Helper' }, quiet: false }]);
  expect(world.notices).toMatchObject([{ kind: 'approvals' }]);
});

test('the practice assistant makes its request only once, even after a restart', async () => {
  await world.companion().connect.practice('stocked');
  // The minute starts again after a restart.
  world.clock.advance(minute / 2);
  await restartCompanion();
  world.clock.advance(minute);
  const { approvalId, digest } = await waitForPrompt();
  await restartCompanion();
  expect(listPrompts()).toMatchObject([{ approvalId, quiet: true }]);
  world.companion().approvals.decline(approvalId, digest, 'no');
  await restartCompanion();
  await advanceIdleMinute();
  expect(listPrompts()).toEqual([]);
  await world.companion().connect.forget();
  await world.companion().connect.practice('stocked');
  await advanceIdleMinute();
  expect(listPrompts()).toEqual([]);
  expect(listAssistants().filter(({ name }) => name === assistant)).toHaveLength(1);
});

test('an empty practice shop has no practice assistant', async () => {
  await world.companion().connect.practice('empty');
  expect(listAssistants()).toEqual([]);
  await advanceIdleMinute();
  expect(listPrompts()).toEqual([]);
});

test('a revoked practice assistant makes no request and is not paired again', async () => {
  await world.companion().connect.practice('stocked');
  world.companion().assistants.revoke(listAssistants()[0]?.assistantId ?? '');
  world.clock.advance(minute);
  await world.companion().connect.forget();
  await world.companion().connect.practice('stocked');
  await restartCompanion();
  world.clock.advance(minute);
  const other = await pairAssistant(world, bridge.url, 'Tidy Helper');
  expect((await other.call('GET', '/listings')).status).toBe(200);
  expect(listAssistants()).toMatchObject([{ name: 'Tidy Helper' }]);
  expect(listPrompts()).toEqual([]);
});

test('the practice assistant gives its reason in the person’s current language', async () => {
  await world.companion().connect.practice('stocked');
  await chooseLanguage('de');
  world.clock.advance(minute);
  const { reason } = await waitForPrompt();
  expect(reason).toBe('Dieses Angebot hat alle nötigen Angaben. Darf ich es veröffentlichen?');
});

test('a new practice assistant is named in the person’s current language', async () => {
  await chooseLanguage('de');
  await world.companion().connect.practice('stocked');
  expect(listAssistants()).toMatchObject([{ name: 'Übungsassistent' }]);
});

test('the approval of a revoked practice assistant is withdrawn', async () => {
  await world.companion().connect.practice('stocked');
  const assistantId = listAssistants()[0]?.assistantId ?? '';
  world.clock.advance(minute);
  const { approvalId } = await waitForPrompt();
  world.companion().assistants.revoke(assistantId);
  expect(world.companion().approvals.readView(approvalId).state).toBe('withdrawn');

  await world.companion().connect.practice('stocked', true);
  const second = listAssistants()[0]?.assistantId ?? '';
  expect(second).not.toBe(assistantId);
  world.companion().assistants.pause(second);
  world.clock.advance(minute);
  await finishEarlierRequests();
  expect(listPrompts()).toEqual([]);
});

test('connecting a real account removes the practice assistant and withdraws its approval', async () => {
  await world.companion().connect.practice('stocked');
  world.clock.advance(minute);
  const { approvalId } = await waitForPrompt();
  const ann = await world.practice.person({ email: 'ann@example.com', plan: 'Starter', connected: true });
  await world.companion().connect.key(ann.agentKey);
  expect(listAssistants()).toEqual([]);
  expect(listPrompts()).toEqual([]);
  await world.companion().connect.practice('stocked');
  expect(world.companion().approvals.readView(approvalId).state).toBe('withdrawn');
  await advanceIdleMinute();
  expect(listPrompts()).toEqual([]);
});

test('the practice assistant makes no request while another account is connected', async () => {
  await world.companion().connect.practice('stocked');
  expect(due).toBe(1);
  const ann = await world.practice.person({ email: 'ann@example.com', plan: 'Starter', connected: true });
  await world.companion().connect.key(ann.agentKey);
  await advanceIdleMinute();
  expect(listPrompts()).toEqual([]);
  await world.companion().connect.practice('stocked');
  world.clock.advance(minute);
  expect(await waitForPrompt()).toMatchObject({ by: { name: assistant } });
});

test('an assistant cannot reach the controls of the practice service', async () => {
  await world.companion().connect.practice('stocked');
  const other = await pairAssistant(world, bridge.url, 'Tidy Helper');
  const before = (await world.practice.journal()).length;
  const paths = [
    '/practice/people',
    '/practice%2Fpeople',
    '//practice/people',
    '/listings/../practice/people',
    '/uploads/../practice/people',
  ];
  for (const path of paths) {
    const { status } = await other.call('POST', path, { body: { email: 'mallory@example.com', plan: 'Scale' } });
    expect([400, 403, 404, 421], path).toContain(status);
  }
  expect(world.practice.addresses()).not.toContain('mallory@example.com');
  expect(await world.practice.journal()).toHaveLength(before);
});
