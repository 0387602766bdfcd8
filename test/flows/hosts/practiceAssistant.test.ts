import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAssistantApi } from '../../../src/bridge/assistantApi.ts';
import type { Bridge } from '../../../src/bridge/startBridge.ts';
import type { Clock, Log } from '../../../src/core/base/ports.ts';
import { createHostTranslator, type HostTranslator } from '../../../src/host/hostTranslator.ts';
import type { Language } from '../../../src/i18n/languages.ts';
import { startPracticeAssistant } from '../../../src/host/practice/practiceAssistant.ts';
import { createPracticePersonProvider } from '../../../src/host/practice/practicePeople.ts';
import { pairedAssistant } from '../../helpers/assistant.ts';
import { settled } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let bridge: Bridge;
let stop: () => void;

/** How many minutes are being waited for. */
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
const nameIt = async (): Promise<string> => texts.format('shell.practiceAssistant');
/** As the host's own texts follow the settings. */
const choose = async (language: Language): Promise<void> => {
  const turned = new Promise<void>((resolve) => texts.onLanguageChanged(resolve));
  world.companion().changeSettings({ language });
  await turned;
};

/** As the host does it after a start. */
const begin = async (): Promise<void> => {
  bridge = await world.bridge();
  const companion = world.companion();
  const api = createAssistantApi(companion, () => bridge.url);
  const log: Log = (_level, message) => world.logs.push(message);
  stop = startPracticeAssistant({ companion: { ...companion, clock }, api, texts: Promise.resolve(texts), log });
  texts.follow({ handlers: { 'app.state': async () => companion.state(null) }, onChanged: companion.onChanged });
};
const end = async (): Promise<void> => {
  stop();
  await bridge.stop();
};
const restart = async (): Promise<void> => {
  await end();
  await world.stop();
  await world.begin();
  await begin();
};

beforeEach(async () => {
  due = 0;
  texts = createHostTranslator(['en']);
  world = await startWorld({
    person: null,
    practicePerson: (practice) => createPracticePersonProvider(practice, nameIt),
  });
  await begin();
});
afterEach(async () => {
  await end();
  await world.close();
});

const minute = 60_000;
const assistants = () => world.companion().assistants.list().assistants;
const waiting = () => world.companion().approvals.listPending();
const asked = () => settled(() => waiting()[0], 'the question of the practice assistant');
const assistant = 'Practice assistant';
/** Whatever another assistant asks is answered after what was asked before it. */
const askedBefore = async (): Promise<void> => {
  const other = await pairedAssistant(world, bridge.url, 'Tidy Helper');
  expect((await other.call('GET', '/listings')).status).toBe(200);
};
/** A minute goes by in which it would have asked; what it did by then is done. */
const minuteInVain = async (): Promise<void> => {
  expect(due).toBe(0);
  world.clock.advance(minute);
  await askedBefore();
};

test('the practice assistant requests one publish after a minute, and the approval publishes the listing at the practice service', async () => {
  await world.companion().connect.practice('stocked');
  expect(assistants()).toMatchObject([{ name: assistant, scope: 'ask', paused: false, lastUsedAt: null }]);
  world.clock.advance(minute - 1);
  await askedBefore();
  expect(waiting()).toEqual([]);
  world.clock.advance(1);
  const question = await asked();
  expect(question).toMatchObject({
    by: { kind: 'assistant', name: assistant },
    route: 'publishListing',
    state: 'pending',
    quiet: true,
  });
  expect(question.reason).toContain('May I publish it?');
  expect(question.prompt.yes).toBe('Publish for US$0.35');
  expect(assistants().find(({ name }) => name === assistant)?.lastUsedAt).toBe(world.clock.now());
  // Nothing is told outside the window.
  expect(world.notices.filter(({ kind }) => kind === 'approvals')).toEqual([]);
  const listingId = question.prompt.target?.listingId ?? '';
  expect((await world.listing(listingId)).status).toBe('pending_review');
  expect(await world.approve(question)).toMatchObject({ state: 'done' });
  expect((await world.listing(listingId)).status).toBe('published');
});

test('another assistant’s approval raises a notification in practice mode', async () => {
  await world.companion().connect.practice('stocked');
  const other = await pairedAssistant(world, bridge.url, 'Tidy Helper');
  const listings = await other.call('GET', '/listings?status=pending_review');
  const [first] = listings.body['listings'] as { listingId: string }[];
  await other.call('POST', `/market/publish/${first?.listingId}`, { body: {} });
  expect(waiting()).toMatchObject([{ by: { name: 'Tidy Helper' }, quiet: false }]);
  expect(world.notices).toMatchObject([{ kind: 'approvals' }]);
});

test('the practice assistant makes its request only once, even after a restart, a decline or a return to the shop', async () => {
  await world.companion().connect.practice('stocked');
  // A restart restarts the minute.
  world.clock.advance(minute / 2);
  await restart();
  world.clock.advance(minute);
  const { approvalId, digest } = await asked();
  await restart();
  expect(waiting()).toMatchObject([{ approvalId, quiet: true }]);
  world.companion().approvals.decline(approvalId, digest, 'no');
  await restart();
  await minuteInVain();
  expect(waiting()).toEqual([]);
  await world.companion().connect.forget();
  await world.companion().connect.practice('stocked');
  await minuteInVain();
  expect(waiting()).toEqual([]);
  expect(assistants().filter(({ name }) => name === assistant)).toHaveLength(1);
});

test('an empty practice shop has no assistant and leads to no prompt', async () => {
  await world.companion().connect.practice('empty');
  expect(assistants()).toEqual([]);
  await minuteInVain();
  expect(waiting()).toEqual([]);
});

test('a revoked practice assistant makes no request and does not return with the shop', async () => {
  await world.companion().connect.practice('stocked');
  world.companion().assistants.revoke(assistants()[0]?.assistantId ?? '');
  world.clock.advance(minute);
  await world.companion().connect.forget();
  await world.companion().connect.practice('stocked');
  await restart();
  world.clock.advance(minute);
  const other = await pairedAssistant(world, bridge.url, 'Tidy Helper');
  expect((await other.call('GET', '/listings')).status).toBe(200);
  expect(assistants()).toMatchObject([{ name: 'Tidy Helper' }]);
  expect(waiting()).toEqual([]);
});

test('the practice assistant gives its reason in the person’s current language', async () => {
  await world.companion().connect.practice('stocked');
  await choose('de');
  world.clock.advance(minute);
  const { reason } = await asked();
  expect(reason).toBe('Dieses Angebot hat alle nötigen Angaben. Darf ich es veröffentlichen?');
});

test('the practice assistant’s name is in the language in which the shop was created', async () => {
  await choose('de');
  await world.companion().connect.practice('stocked');
  expect(assistants()).toMatchObject([{ name: 'Übungsassistent' }]);
});

test('revoking the practice assistant withdraws its approval, and a paused practice assistant makes no request', async () => {
  await world.companion().connect.practice('stocked');
  const assistantId = assistants()[0]?.assistantId ?? '';
  world.clock.advance(minute);
  const { approvalId } = await asked();
  world.companion().assistants.revoke(assistantId);
  expect(world.companion().approvals.readView(approvalId).state).toBe('withdrawn');

  await world.companion().connect.practice('stocked', true);
  const second = assistants()[0]?.assistantId ?? '';
  expect(second).not.toBe(assistantId);
  world.companion().assistants.pause(second);
  world.clock.advance(minute);
  await askedBefore();
  expect(waiting()).toEqual([]);
});

test('connecting a real account removes the practice assistant and withdraws its approval', async () => {
  await world.companion().connect.practice('stocked');
  world.clock.advance(minute);
  const { approvalId } = await asked();
  const ann = await world.practice.person({ email: 'ann@example.com', plan: 'Starter', connected: true });
  await world.companion().connect.key(ann.agentKey);
  expect(assistants()).toEqual([]);
  expect(waiting()).toEqual([]);
  await world.companion().connect.practice('stocked');
  expect(world.companion().approvals.readView(approvalId).state).toBe('withdrawn');
  await minuteInVain();
  expect(waiting()).toEqual([]);
});

test('a person who leaves the practice shop within the minute gets the prompt after returning, not before', async () => {
  await world.companion().connect.practice('stocked');
  expect(due).toBe(1);
  const ann = await world.practice.person({ email: 'ann@example.com', plan: 'Starter', connected: true });
  await world.companion().connect.key(ann.agentKey);
  await minuteInVain();
  expect(waiting()).toEqual([]);
  await world.companion().connect.practice('stocked');
  world.clock.advance(minute);
  expect(await asked()).toMatchObject({ by: { name: assistant } });
});

test('no path of the bridge reaches the controls of the practice service', async () => {
  await world.companion().connect.practice('stocked');
  const other = await pairedAssistant(world, bridge.url, 'Tidy Helper');
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
