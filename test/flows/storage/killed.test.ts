import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createDrawnFolder } from '../../helpers/photos/createDrawnFolder.ts';
import { connect } from '../bridge/mcp/clients.ts';
import { callBridge } from '../../helpers/assistant.ts';
import { startTestPractice } from '../../helpers/practice.ts';
import { sampledBy, drawSample } from '../../helpers/sample.ts';

const fact = z.looseObject({
  ready: z.boolean().optional(),
  itemId: z.string().optional(),
  step: z.string().optional(),
  stop: z.unknown().optional(),
  listingId: z.string().nullish(),
  photos: z.number().optional(),
  approval: z.string().optional(),
  approvalId: z.string().optional(),
  digest: z.string().optional(),
  url: z.string().optional(),
  token: z.string().optional(),
});
type Fact = z.infer<typeof fact>;

const script = fileURLToPath(new URL('../../helpers/processes/companionProcess.ts', import.meta.url));

let practice: Awaited<ReturnType<typeof startTestPractice>>;
let dataDir: string;
let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  practice = await startTestPractice();
  dataDir = await mkdtemp(join(tmpdir(), 'killed-'));
  folder = await createDrawnFolder(join(dataDir, 'photos'), 'blue mug', 3);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await practice.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts the companion in a separate process. */
const startCompanion = () => {
  const child = spawn(process.execPath, [script, JSON.stringify({ dataDir, practiceUrl: practice.url })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const heard: Fact[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    heard.push(fact.parse(JSON.parse(line)));
    for (const look of [...waiting]) look();
  });
  return {
    order: (what: Record<string, unknown>) => void child.stdin.write(`${JSON.stringify(what)}\n`),
    /** Returns the first fact that matches, including earlier facts. */
    hears: (like: (said: Fact) => boolean, what: string): Promise<Fact> =>
      new Promise((resolve, reject) => {
        const checkFacts = () => {
          const found = heard.find(like);
          if (!found) return;
          waiting.delete(checkFacts);
          clearTimeout(timer);
          resolve(found);
        };
        const timer = setTimeout(
          () => reject(new Error(`Never heard of ${what}: ${JSON.stringify(heard.at(-1))}`)),
          20_000,
        );
        waiting.add(checkFacts);
        checkFacts();
      }),
    kill: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
};

const countEffects = async () => {
  const kinds = (await practice.journal()).map(({ kind }) => kind);
  return {
    drafts: kinds.filter((kind) => kind === 'draft').length,
    generations: kinds.filter((kind) => kind === 'generation').length,
    publishes: kinds.filter((kind) => kind === 'publish').length,
  };
};

const steps = [
  { when: 'while photos are being prepared', at: 'photos', slow: null },
  { when: 'while the draft is being created', at: 'draft', slow: ['POST', '/listings'] as const },
  { when: 'while upload slots are being requested', at: 'upload', slow: ['POST', '/listings/upload-url'] as const },
  { when: 'while a photo is being uploaded', at: 'upload', slow: ['PUT', '/uploads/{token}'] as const },
  {
    when: 'while the generation is being requested',
    at: 'line',
    slow: ['POST', '/listings/{listingId}/generate'] as const,
  },
  { when: 'during the generation', at: 'writing', slow: null },
  { when: 'in the review', at: 'review', slow: null },
];

describe(`a companion that is killed and restarted (${sampledBy})`, () => {
  // Each test starts two processes, so only a sample runs by default.
  test.each(drawSample('steps', steps, 2))(
    'after a kill $when and a restart, one complete listing is created',
    async ({ at, slow }) => {
      if (at === 'writing') await practice.control('POST', '/writer', { delayMs: 1_500 });
      // The service performs the request, but the companion is killed before the response.
      if (slow) await practice.fault({ method: slow[0], path: slow[1], times: 1, delayMs: 600 });
      const first = startCompanion();
      await first.hears((said) => said.ready === true, 'readiness');
      first.order({ do: 'add', path: folder });
      await first.hears((said) => said.step === at, at);
      if (slow) await new Promise((resolve) => setTimeout(resolve, 300));
      await first.kill();

      const second = startCompanion();
      const { listingId } = await second.hears((said) => said.step === 'review' && said.photos === 3, 'the review');
      expect(await countEffects()).toEqual({ drafts: 1, generations: 1, publishes: 0 });
      const uploaded = (await practice.journal()).filter(({ kind }) => kind === 'photo');
      expect(new Set(uploaded.map(({ index }) => index)).size).toBe(3);
      expect(listingId).toBeTruthy();
      await second.kill();
    },
  );

  test('a publish that is in flight during a kill is looked up, not sent again', async () => {
    const first = startCompanion();
    await first.hears((said) => said.ready === true, 'readiness');
    first.order({ do: 'add', path: folder });
    const { listingId } = await first.hears((said) => said.step === 'review', 'the review');
    first.order({ do: 'publish', listingId });
    const { approvalId, digest } = await first.hears((said) => said.approval === 'pending', 'the prompt');
    await practice.fault({ method: 'POST', path: '/market/publish/{listingId}', times: 1, delayMs: 400 });
    first.order({ do: 'approve', approvalId, digest });
    await first.hears((said) => said.approval === 'sending', 'the sending');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await first.kill();

    const second = startCompanion();
    const settled = await second.hears((said) => said.approval === 'done' || said.approval === 'failed', 'the outcome');
    expect(settled).toMatchObject({ approval: 'done', approvalId });
    await second.hears((said) => said.step === 'live', 'the live listing');
    expect(await countEffects()).toEqual({ drafts: 1, generations: 1, publishes: 1 });
  });

  test('a pending prompt is shown again after a kill', async () => {
    const first = startCompanion();
    await first.hears((said) => said.ready === true, 'readiness');
    first.order({ do: 'add', path: folder });
    const { listingId } = await first.hears((said) => said.step === 'review', 'the review');
    first.order({ do: 'publish', listingId });
    const { approvalId } = await first.hears((said) => said.approval === 'pending', 'the prompt');
    await first.kill();

    const second = startCompanion();
    const { approvalId: again, digest } = await second.hears(
      (said) => said.approval === 'pending' && said.approvalId !== approvalId,
      'the prompt of the second run',
    );
    second.order({ do: 'approve', approvalId: again, digest });
    await second.hears((said) => said.step === 'live', 'the live listing');
    expect((await countEffects()).publishes).toBe(1);
  });
});

describe('an assistant’s request interrupted by a kill', () => {
  const startBridge = async (companion: ReturnType<typeof startCompanion>): Promise<string> => {
    await companion.hears((said) => said.ready === true, 'readiness');
    companion.order({ do: 'serve' });
    return (await companion.hears((said) => said.url !== undefined, 'the address')).url ?? '';
  };
  const pairAssistant = async (
    companion: ReturnType<typeof startCompanion>,
    name: string,
    folders: string[],
  ): Promise<string> => {
    companion.order({ do: 'let in', name, folders });
    return (await companion.hears((said) => said.token !== undefined, 'the token')).token ?? '';
  };
  const createItem = async (url: string, token: string, args: Record<string, unknown>): Promise<string> => {
    const client = await connect(url, token);
    const { data } = await client.call('create_listing_from_photos', args).finally(() => client.close());
    return z.string().parse(data['itemId']);
  };
  /** Calls the tool and kills the companion as soon as the item's draft is requested. */
  const killedCall = async (args: Record<string, unknown>, folders: string[]) => {
    await practice.fault({ method: 'POST', path: '/listings', times: 1, delayMs: 600 });
    const first = startCompanion();
    const url = await startBridge(first);
    const token = await pairAssistant(first, 'Tidy Helper', folders);
    const unanswered = createItem(url, token, args);
    unanswered.catch(() => undefined);
    const { itemId } = await first.hears((said) => said.step === 'draft', 'the draft');
    await first.kill();
    await expect(unanswered).rejects.toThrow();
    return { token, itemId };
  };

  test('after a kill, a repeated call from the same assistant resumes the existing item', async () => {
    const args = { folder, note: 'with a small chip' };
    const { token, itemId } = await killedCall(args, [folder]);
    const second = startCompanion();
    const url = await startBridge(second);
    expect(await createItem(url, token, { ...args, waitS: 0 })).toBe(itemId);
    await second.hears((said) => said.step === 'review' && said.photos === 3, 'the review');
    expect(await countEffects()).toEqual({ drafts: 1, generations: 1, publishes: 0 });
    // The assistant received this result, and the item with these photos is still there.
    expect(await createItem(url, token, { ...args, waitS: 0 })).toBe(itemId);
    expect(await countEffects()).toEqual({ drafts: 1, generations: 1, publishes: 0 });
    await second.kill();
  });

  test('after a kill, a repeated HTTP request with the same idempotency key returns the same item', async () => {
    const requestItem = async (url: string, token: string) => {
      const { status, headers, body } = await callBridge(url, 'POST', '/companion/items', {
        body: { folder, note: 'with a small chip' },
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'the-mug' },
      });
      return [status, headers['idempotent-replayed'], body['itemId']];
    };
    const first = startCompanion();
    const firstUrl = await startBridge(first);
    const token = await pairAssistant(first, 'Tidy Helper', [folder]);
    const [, , itemId] = await requestItem(firstUrl, token);
    await first.kill();
    const second = startCompanion();
    const url = await startBridge(second);
    for (let time = 0; time < 2; time += 1) expect(await requestItem(url, token)).toEqual([202, 'true', itemId]);
    await second.hears((said) => said.step === 'review' && said.photos === 3, 'the review');
    expect(await countEffects()).toEqual({ drafts: 1, generations: 1, publishes: 0 });
    await second.kill();
  });

  test('after a kill, a different assistant or a different request creates another item', async () => {
    const { token, itemId } = await killedCall({ folder }, [folder]);
    const second = startCompanion();
    const url = await startBridge(second);
    const other = await pairAssistant(second, 'Other Helper', [folder]);
    const made = [
      await createItem(url, other, { folder, waitS: 0 }),
      await createItem(url, token, { folder, note: 'with a small chip', waitS: 0 }),
      await createItem(url, token, { folder, waitS: 0 }),
    ];
    expect(made[2]).toBe(itemId);
    expect(new Set(made).size).toBe(3);
    await second.kill();
  });

  test('after a kill, a repeated call creates items only for folders without an item', async () => {
    const missing = join(dataDir, 'photos', 'not there yet');
    const { token, itemId } = await killedCall({ folders: [folder, missing] }, [join(dataDir, 'photos')]);
    const second = startCompanion();
    const url = await startBridge(second);
    await createDrawnFolder(join(dataDir, 'photos'), 'not there yet', 1);
    const client = await connect(url, token);
    const { data } = await client.call('create_listing_from_photos', { folders: [folder, missing], waitS: 0 });
    await client.close();
    expect(data).toMatchObject({ items: [{ itemId }, { itemId: expect.not.stringMatching(itemId ?? '') as unknown }] });
    await second.kill();
  });
});
