import { afterEach, expect, test } from 'vitest';
import { playFreshModel, type ModelRun, type SeenTools, type ModelUser } from '../../../helpers/bridge/freshModel.ts';
import { pairWithId } from '../../../helpers/bridge/scene.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import { connect, type McpClient } from './clients.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let client: McpClient;
let assistantId: string;

const things = 20;
/** How many listings the plan still includes: two fewer than there are things. */
const left = 18;
const planned = 100;

const startWithRemaining = async (remaining: number): Promise<void> => {
  world = await startWorld({ person: { used: planned - remaining } });
  bridge = await world.bridge();
  const helper = await pairWithId(world, bridge.url, 'Fresh Model');
  ({ assistantId } = helper);
  client = await connect(bridge.url, helper.token);
};
afterEach(async () => {
  await client.close();
  await bridge.stop();
  await world.close();
});

const allowFolder = (folder: string): void => {
  const { assistants } = world.companion();
  const folders = assistants.list().assistants.find((one) => one.assistantId === assistantId)?.folders ?? [];
  assistants.change(assistantId, { folders: [...folders, folder] });
};

/** Answers every prompt as the person while the clock advances. */
const whilePersonAnswers = async (work: Promise<ModelRun>, answer: 'yes' | 'no'): Promise<ModelRun> => {
  let over = false;
  const answered = new Set<string>();
  const played = work.finally(() => (over = true));
  played.catch(() => undefined);
  await waitUntil(async () => {
    world.clock.advance(100);
    const [approval] = world.companion().approvals.listPending();
    if (approval && !answered.has(approval.approvalId)) {
      const { approvalId, digest } = approval;
      answered.add(approvalId);
      if (answer === 'no') world.companion().approvals.decline(approvalId, digest, 'no');
      else await world.pressYes(approvalId, digest);
    }
    return over;
  }, 'the end of the conversation');
  return played;
};

const playModel = async (
  folder: string,
  answer: 'yes' | 'no',
  follows: ModelUser['follows'],
  call: SeenTools['call'] = (name, args) => client.call(name, args),
): Promise<ModelRun> => {
  const seen = { instructions: client.instructions, tools: await client.tools(), call };
  const wait = (seconds: number): void => world.clock.advance(seconds * 1_000);
  return whilePersonAnswers(playFreshModel(seen, { wants: { folder }, follows, wait }), answer);
};

test('a simulated model that knows only the tool list handles twenty items correctly', async () => {
  await startWithRemaining(left);
  const ended: Record<string, number> = { live: 0, declined: 0, stopped: 0 };
  for (let index = 0; index < things; index += 1) {
    // Each thing is a separate conversation, one minute after the previous conversation.
    world.clock.advance(60_000);
    const folder = await world.folder(`thing ${index}`, 1);
    // The person allows one folder only after the model asks for it, and declines one prompt.
    const isForbidden = index === 3;
    if (!isForbidden) allowFolder(folder);
    const told: string[] = [];
    const { calls, last } = await playModel(folder, index === 7 ? 'no' : 'yes', (nextStep) => {
      told.push(nextStep);
      allowFolder(folder);
      return isForbidden;
    });
    expect(told, calls.join(', ')).toEqual(isForbidden ? [expect.stringContaining('allow this folder')] : []);
    expect(calls.length, calls.join(', ')).toBeLessThanOrEqual(isForbidden ? 9 : 8);
    if (index === 7) expect(last).toMatchObject({ state: 'declined' });
    else if (index >= left) expect(last).toMatchObject({ remaining: 0 });
    else expect(last).toMatchObject({ state: 'done', liveUrl: expect.stringMatching(/^http/) as unknown });
    const how = index === 7 ? 'declined' : index >= left ? 'stopped' : 'live';
    ended[how] = (ended[how] ?? 0) + 1;
  }
  expect(ended).toEqual({ live: left - 1, declined: 1, stopped: things - left });
  expect(await world.happened('publish')).toBe(left - 1);
}, 240_000);

test('a tool result asks the model to inform the person about a used-up allowance', async () => {
  await startWithRemaining(1);
  const folder = await world.folder('one too many', 1);
  allowFolder(folder);
  let made = 0;
  const { last, calls } = await playModel(
    folder,
    'yes',
    () => false,
    async (name, args) => {
      made += 1;
      // The person uses the last listing of the plan for their own item.
      if (made === 2) await world.reviewed('their own');
      return client.call(name, args);
    },
  );
  expect(last, calls.join(', ')).toMatchObject({
    stoppedBecause: { code: 'ALLOWANCE_USED' },
    nextStep: expect.stringContaining('Tell the person') as unknown,
  });
}, 60_000);
