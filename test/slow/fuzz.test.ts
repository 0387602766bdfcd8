import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { callBridge } from '../helpers/assistant.ts';
import { sampleSeed, sampleSize } from '../helpers/sample.ts';
import { fuzzRequests, type FuzzFacts, type FuzzRequest } from './fuzzRequests.ts';
import { startScene, type Paired, type Scene } from '../helpers/bridge/scene.ts';

/** COMPANION_SEED=n runs the same requests again. */
const seed = sampleSeed;
const howMany = sampleSize(20_000, 4_000);
const atOnce = 8;

type Answer = { status: number; type: string; text: string };
/** Two codes of the interface are written with hyphens. */
const refusal = z.looseObject({
  error: z.string().regex(/^[^\s].*[^\s]$/s),
  code: z.string().regex(/^([A-Z][A-Z_]+|[a-z]+(-[a-z]+)+)$/),
});

let scene: Scene;
let facts: FuzzFacts;
/** Secrets that no answer may contain, and texts that the answers to a token may not contain. */
let never: Record<string, string>;
let ofOther: Record<string, string[]>;
let agent: Agent;

/** Gives an assistant an approval and an item, both with canary texts. */
const createBelongings = async (assistant: Paired, canary: string): Promise<{ ids: string[]; canaries: string[] }> => {
  const { world } = scene;
  const { id } = await scene.question(assistant);
  const draft = await scene.draft(assistant);
  const reason = { 'companion-reason': `${canary}-reason` };
  await assistant.call('DELETE', `/listings/${draft}`, { headers: reason });
  const folder = await world.folder(`${canary} folder`, 1);
  world.companion().assistants.change(assistant.assistantId, { folders: [folder], touches: 'own' });
  const { body } = await assistant.call('POST', '/companion/items', { body: { folder, note: `${canary}-note` } });
  await world.item(String(body['itemId']), 'review');
  const itemId = String(body['itemId']);
  // The requests contain the bare ids, so an answer may repeat them, but not the records with them.
  const records = [`"id":"${id}"`, `"itemId":"${itemId}"`];
  return { ids: [id, itemId], canaries: [...records, `${canary}-reason`, `${canary}-note`, `${canary} folder`] };
};

beforeAll(async () => {
  scene = await startScene();
  const { one, other, world, url } = scene;
  const mine = await createBelongings(one, 'CANARY-ONE');
  const theirs = await createBelongings(other, 'CANARY-TWO');
  const listing = await world.reviewed('book', 1);
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  never = {
    'the key': key,
    'a secret': one.pairing.pairingSecret,
    'another secret': other.pairing.pairingSecret,
    'a token': one.token,
    'another token': other.token,
  };
  ofOther = { [one.token]: theirs.canaries, [other.token]: mine.canaries, '': [...mine.canaries, ...theirs.canaries] };
  facts = {
    host: new URL(url).host,
    tokens: [one.token, other.token],
    ids: [...mine.ids, ...theirs.ids, listing.listingId, one.pairing.pairingId, 'corner'],
  };
  agent = new Agent({ keepAlive: true, maxSockets: atOnce });
});
afterAll(async () => {
  agent.destroy();
  await scene.close();
});

const sendRequest = ({ method, path, headers, body }: FuzzRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(scene.url);
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request({ hostname, port, method, path, headers: { ...headers, ...length }, agent }, (response) => {
      const type = String(response.headers['content-type'] ?? '');
      let text = '';
      const resolveAnswer = () => resolve({ status: response.statusCode ?? 0, type, text });
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        // An event stream never ends.
        if (path.startsWith('/companion/events') && text.includes('listening')) {
          resolveAnswer();
          sent.destroy();
        }
      });
      response.on('end', resolveAnswer);
      response.on('error', () => undefined);
    });
    sent.setTimeout(20_000, () => sent.destroy(new Error('never answered')));
    sent.on('error', (error) => reject(new Error(`${method} ${path}: ${error.message}`)));
    sent.end(body ?? undefined);
  });

/** Returns a description of what is wrong with an answer; null if nothing is. */
const findWrong = ({ method, headers }: FuzzRequest, { status, type, text }: Answer): string | null => {
  if (status >= 500) return `the status ${status}`;
  const leaked = Object.entries(never).find(([, secret]) => text.includes(secret))?.[0];
  if (leaked !== undefined) return `${leaked} in the answer`;
  const token = Object.keys(ofOther).find((known) => known !== '' && headers['authorization']?.endsWith(known)) ?? '';
  const foreign = ofOther[token]?.find((canary) => text.includes(canary));
  if (foreign !== undefined) return `“${foreign}” of another assistant in the answer`;
  if (status < 400 || method === 'HEAD' || text.includes('"jsonrpc"')) return null;
  if (!type.startsWith('application/json')) return `an error of the type ${type}`;
  return refusal.safeParse(JSON.parse(text)).success ? null : 'an error without sentence and code';
};

test(`each of ${howMany} random requests gets a valid answer without data of other assistants (seed ${seed})`, async () => {
  const next = fuzzRequests(seed, facts);
  const statuses = new Map<number, number>();
  const wrong: string[] = [];
  let sent = 0;
  const sendRequests = async (): Promise<void> => {
    while (sent < howMany && wrong.length < 5) {
      sent += 1;
      const one = next();
      const answer = await sendRequest(one);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const why = findWrong(one, answer);
      if (why !== null) wrong.push(`${why}: ${JSON.stringify(one).slice(0, 600)} → ${answer.text.slice(0, 400)}`);
    }
  };
  // The companion's clock runs only here, so that its waits end.
  const ticking = setInterval(() => scene.world.clock.advance(200), 20);
  await Promise.all(Array.from({ length: atOnce }, sendRequests)).finally(() => clearInterval(ticking));

  expect(wrong).toEqual([]);
  expect(sent).toBe(howMany);
  console.info(`Fuzz seed ${seed}: ${JSON.stringify(Object.fromEntries([...statuses].sort(([a], [b]) => a - b)))}`);
  // Enough requests passed the guard to test the routes behind it.
  expect((statuses.get(200) ?? 0) + (statuses.get(202) ?? 0) + (statuses.get(409) ?? 0)).toBeGreaterThan(howMany / 50);
  const logs = scene.world.logs.join('\n');
  for (const [what, secret] of Object.entries(never)) expect(logs.includes(secret), what).toBe(false);
  expect((await callBridge(scene.url, 'GET', '/companion')).status).toBe(200);
  // A throttled asker is answered again after the minute.
  scene.world.clock.advance(61_000);
  expect((await scene.one.call('GET', '/agent/me')).status).toBe(200);
  expect(await scene.world.happened('publish')).toBe(0);
}, 120_000);
