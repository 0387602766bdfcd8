import { request } from 'node:http';
import * as z from 'zod';
import { routeNames, getRouteByName, type RouteName } from '../../../src/contract/index.ts';
import { listParamNames } from '../../../src/contract/route.ts';
import { minDwellMs } from '../../../src/core/presence/windowSessions.ts';
import type { CallReply } from '../../../src/ipc/calls.ts';
import { wrongRefusal } from './sentences.ts';
import type { Dice } from './spoil.ts';

type Parts = {
  dice: Dice;
  bridgeUrl: string;
  token: string;
  /** A folder with photos. */
  photos: string;
  call: (name: string, input: unknown) => Promise<CallReply>;
  passTime: (ms: number) => void;
  wrong: (what: string) => void;
  isSecret: (text: string) => boolean;
};
type Answer = { status: number; type: string; text: string };

const proxied = routeNames.filter(
  (name) => name !== 'startSignIn' && name !== 'verifySignIn' && name !== 'revokeCurrentKey',
);
const reads = proxied.filter((name) => getRouteByName(name).method === 'GET');
const shown = [
  ...[
    'app.state',
    'items.list',
    'items.counts',
    'items.ready',
    'listings.search',
    'listings.counts',
    'listings.again',
    'listings.export',
    'notifications.list',
  ],
  ...[
    'approvals.list',
    'approvals.history',
    'batch.list',
    'history.search',
    'assistants.list',
    'assistants.activity',
    'offers.list',
  ],
  ...['items.lastChange', 'notifications.viewed', 'photos.diskUse'],
];
const tools = [
  'get_standing',
  'list_listings',
  'get_listing',
  'quote_fees',
  'publish_listing',
  'find_category',
  'find_comparable_prices',
  'end_listing',
];
const bodies: unknown[] = [
  {},
  {},
  {},
  { action: 'quote' },
  { title: 'A lamp', price: 1_200 },
  { price: 900 },
  { query: 'lamp' },
  { count: 2, rateCents: 20 },
];
const refusal = z.looseObject({ error: z.unknown(), code: z.unknown() });
const ofTool = z.object({ result: z.looseObject({ isError: z.boolean().optional(), structuredContent: z.unknown() }) });

/** Returns the refusal in an answer; empty if the answer is not a refusal. Throws if the answer is invalid. */
const parseRefusal = (status: number, type: string, text: string): { error?: unknown; code?: unknown } => {
  if (type.startsWith('text/event-stream')) {
    const [, data = ''] = /^data: (.+)$/m.exec(text) ?? [];
    const { result } = ofTool.parse(JSON.parse(data));
    return result.isError ? refusal.parse(result.structuredContent) : {};
  }
  // The guide is Markdown.
  if (type.startsWith('text/markdown') && status < 400) return {};
  if (!type.startsWith('application/json')) throw new Error(`an answer of the type ${type}`);
  const parsed: unknown = JSON.parse(text);
  return status < 400 ? {} : refusal.parse(parsed);
};

const approvals = z.array(z.looseObject({ approvalId: z.string(), digest: z.string() }));
const items = z.object({
  rows: z.array(z.looseObject({ itemId: z.string(), stop: z.unknown(), listingId: z.string().nullish() })),
});
const listings = z.object({ rows: z.array(z.looseObject({ listingId: z.string() })) });
const maxItems = 3;

/** Creates a function that performs one random act of the assistant or the person and checks the answer. */
export const createActs = ({ dice, bridgeUrl, token, photos, call, passTime, wrong, isSecret }: Parts) => {
  const statuses: Record<string, number> = {};
  let ids = ['lst_none'];

  const askBridge = (method: string, path: string, body?: unknown): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? null : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        ...(text === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      };
      const sent = request(bridgeUrl + path, { method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: String(response.headers['content-type']),
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.on('error', reject);
      sent.setTimeout(60_000, () => sent.destroy(new Error('never answered')));
      sent.end(text ?? undefined);
    });

  const callAsAssistant = async (method: string, path: string, body?: unknown): Promise<void> => {
    const what = `${method} ${path}`;
    try {
      const { status, type, text } = await askBridge(method, path, body);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (isSecret(text)) wrong(`${what}: a secret in the answer`);
      if (text === '') return status === 204 ? undefined : wrong(`${what}: nothing with the status ${status}`);
      const { error, code } = parseRefusal(status, type, text);
      if (code === undefined && error === undefined) return;
      const fault = wrongRefusal(code, error);
      if (fault !== null) wrong(`${what}: ${fault}`);
    } catch (error) {
      wrong(`${what}: ${error instanceof Error ? error.message : 'failed'}`);
    }
  };

  /** Makes a call as a window, and clones the reply as on its way to the window. */
  const callAsPerson = async (name: string, input?: unknown): Promise<unknown> => {
    try {
      const reply = structuredClone(await call(name, input));
      const text = JSON.stringify(reply);
      if (isSecret(text)) wrong(`${name}: a secret in the answer`);
      statuses[reply.ok ? 'window' : 'window refused'] = (statuses[reply.ok ? 'window' : 'window refused'] ?? 0) + 1;
      if (reply.ok) return reply.value;
      const fault = wrongRefusal(reply.problem.code, reply.problem.sentence);
      if (fault !== null) wrong(`${name} ${JSON.stringify(input)}: ${fault}`);
    } catch (error) {
      wrong(`${name}: ${error instanceof Error ? error.message : 'failed'}`);
    }
    return null;
  };

  const createInput = (name: RouteName): { params: Record<string, string>; query?: object; body?: unknown } => {
    const { path, method } = getRouteByName(name);
    const params = Object.fromEntries(
      listParamNames(path).map((param) => [param, param === 'channelId' ? 'corner' : dice.pick(ids)]),
    );
    return { params, ...(method === 'GET' ? { query: { q: 'lamp', limit: '5' } } : { body: dice.pick(bodies) }) };
  };
  const callRoute = async (name: RouteName): Promise<void> => {
    const { params, query, body } = createInput(name);
    const { method, path } = getRouteByName(name);
    const filled = path.replace(/\{(\w+)\+?\}/g, (_place, param: string) => encodeURIComponent(params[param] ?? 'x'));
    // Each read has a new query, so that no answer comes from the cache.
    await callAsAssistant(method, query ? `${filled}?q=${dice.below(1_000_000)}` : filled, body);
  };

  const decideSome = async (): Promise<void> => {
    const waiting = approvals.safeParse(await callAsPerson('approvals.list')).data ?? [];
    const drawn = waiting.slice(0, 3);
    await callAsPerson('approvals.shown', {
      isAutomated: false,
      rows: drawn.map(({ approvalId, digest }) => ({ approvalId, digest, drawnAs: 'prompt' })),
    });
    passTime(minDwellMs);
    for (const { approvalId, digest } of drawn)
      await (dice.chance(0.7)
        ? callAsPerson('approvals.approve', { approvalId, digest })
        : callAsPerson('approvals.decline', { approvalId, digest }));
  };
  const addOrRemoveItem = async (): Promise<void> => {
    const open = items.safeParse(await callAsPerson('items.list')).data?.rows ?? [];
    ids = [...new Set([...ids, ...open.flatMap(({ listingId }) => listingId ?? [])])].slice(-20);
    if (open.length < maxItems) await callAsPerson('items.add', { sources: { kind: 'paths', paths: [photos] } });
    else {
      const { itemId, stop } = dice.pick(open);
      await (stop && dice.chance(0.5)
        ? callAsPerson('items.resume', { itemId })
        : callAsPerson('items.remove', { itemId }));
    }
  };
  const findListings = async (): Promise<void> => {
    const found = listings.safeParse(await callAsPerson('listings.search', {})).data?.rows ?? [];
    ids = [...new Set([...ids, ...found.map(({ listingId }) => listingId)])].slice(-20);
  };
  const callTool = (name: string): Promise<void> =>
    callAsAssistant('POST', '/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { listingId: dice.pick(ids), query: 'lamp' } },
    });

  const performAct = async (): Promise<void> => {
    const how = dice.below(100);
    if (how < 40) await callRoute(dice.pick(dice.chance(0.6) ? reads : proxied));
    else if (how < 55)
      await callAsPerson('service.perform', { route: dice.pick(proxied), input: createInput(dice.pick(proxied)) });
    else if (how < 75) {
      const route = dice.pick(proxied);
      await callAsPerson('service.perform', { route, input: createInput(route) });
    } else if (how < 83) await callAsPerson(dice.pick(shown), {});
    else if (how < 89) await decideSome();
    else if (how < 92) await addOrRemoveItem();
    else if (how < 95) await findListings();
    else if (how < 97)
      await callAsAssistant('GET', dice.pick(['/companion/approvals', '/companion/items', '/companion/me']));
    else await callTool(dice.pick(tools));
  };
  return Object.assign(performAct, { statuses });
};
