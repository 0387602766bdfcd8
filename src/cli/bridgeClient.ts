import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Problem } from '../core/base/problem.ts';
import { tokenNameOf, openTokens, type Tokens } from '../host/clientTokens.ts';

const discovery = z.object({ url: z.url(), mcpUrl: z.url(), pid: z.int().positive(), version: z.string() });
/** Where a running companion listens, as it wrote it down itself. */
type FoundCompanion = z.infer<typeof discovery>;

/** The problem that there is no companion to talk to. */
const notRunning = (cause?: unknown): Problem =>
  new Problem('NOT_RUNNING', 'Listing Companion is not running. Start it, then try again.', { cause });

/** Another user's process of this number is not the companion either. */
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * Where the companion of a data folder listens. A file that a crash left behind is not believed: another program may
 * sit at that address and would be handed the token. Throws `NOT_RUNNING`.
 */
const findCompanion = async (dataDir: string): Promise<FoundCompanion> => {
  let text: string;
  try {
    text = await readFile(join(dataDir, 'bridge.json'), 'utf8');
  } catch (error) {
    throw notRunning(error);
  }
  const found = discovery.safeParse(JSON.parse(text));
  if (!found.success || !isAlive(found.data.pid)) throw notRunning();
  return found.data;
};

/** What a request sends besides method and address. */
type BridgeRequest = {
  body?: unknown;
  /** The whole header. */
  authorization?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Told of each event of an answer that comes in events; the last one is the answer. */
  onEvent?: (event: unknown) => void;
};
/** An answer that is no refusal; `body` is null where it was no JSON. */
type BridgeAnswer = { status: number; body: unknown };

const refusal = z.looseObject({ error: z.string(), code: z.string(), field: z.string().optional() });

const problemOf = (status: number, body: unknown, retryAfter: string | null): Problem => {
  const parsed = refusal.safeParse(body);
  if (!parsed.success) return new Problem('UNEXPECTED_ANSWER', `The companion answered ${status} without a reason.`);
  const { error, code, field } = parsed.data;
  return new Problem(code, error, {
    ...(field === undefined ? {} : { field }),
    ...(retryAfter !== null && /^\d+$/.test(retryAfter) ? { retryAfterS: Number(retryAfter) } : {}),
  });
};

const dataOf = (event: string): unknown => {
  const data = event
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []));
  return data.length === 0 ? null : (JSON.parse(data.join('\n')) as unknown);
};

/** Reads an answer that comes in events, to its last one. */
const lastEvent = async ({ body }: Response, onEvent?: (event: unknown) => void): Promise<unknown> => {
  let last: unknown = null;
  let text = '';
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = `${text}${piece}`.split(/\r?\n\r?\n/);
    text = events.pop() ?? '';
    for (const event of events) {
      last = dataOf(event) ?? last;
      onEvent?.(last);
    }
  }
  return last;
};

/** One request to the companion. Throws its refusal as a `Problem`, and `NOT_RUNNING` when nobody answers. */
export const callBridge = async (address: URL, method: string, call: BridgeRequest = {}): Promise<BridgeAnswer> => {
  const { body, authorization, headers = {}, signal, onEvent } = call;
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      redirect: 'error',
      headers: {
        accept: 'application/json, text/event-stream',
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw notRunning(error);
  }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const answer: unknown = isStream
    ? await lastEvent(response, onEvent).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw new Problem('NO_ANSWER', 'Listing Companion stopped before it had answered.', { cause: error });
      })
    : await response.json().catch(() => null);
  if (!response.ok) throw problemOf(response.status, answer, response.headers.get('retry-after'));
  return { status: response.status, body: answer };
};

/** Where the command line looks for the companion and its own token. */
export type Place = { dataDir: string; ownData: boolean; keychain: 'system' | 'memory'; env: NodeJS.ProcessEnv };
/** The companion as the command line sees it. */
export type Bridge = {
  /** Where the companion listens. Throws `NOT_RUNNING`. */
  find: () => Promise<FoundCompanion>;
  /** The token of this command line itself. */
  tokens: () => Promise<Tokens>;
  /** The token of a client by its identity; of one without, a token that nothing keeps. */
  tokensOf: (identity: string | null) => Promise<Tokens>;
  /** A request with this command line's token. Throws `NOT_PAIRED` when there is none. */
  call: (method: string, path: string, more?: Omit<BridgeRequest, 'authorization'>) => Promise<BridgeAnswer>;
};

/** The name under which the command line's own token is kept; those of clients are named by what no client can choose. */
const commandLine = 'command line';

/** Nothing is looked for before it is needed. */
export const openBridge = (place: Place): Bridge => {
  let own: Promise<Tokens> | undefined;
  const find: Bridge['find'] = () => findCompanion(place.dataDir);
  const tokens: Bridge['tokens'] = () => (own ??= openTokens(place, commandLine, place.env));
  const tokensOf: Bridge['tokensOf'] = (identity) =>
    openTokens(place, identity === null ? null : tokenNameOf(identity, place.dataDir), place.env);
  const call: Bridge['call'] = async (method, path, more = {}) => {
    const { url } = await find();
    const token = await (await tokens()).get();
    if (token === null)
      throw new Problem('NOT_PAIRED', 'This command line is not paired yet. Run "listing-companion pair" first.');
    return callBridge(new URL(path, url), method, { ...more, authorization: `Bearer ${token}` });
  };
  return { find, tokens, tokensOf, call };
};

const asked = z.object({
  pairingId: z.string(),
  pairingSecret: z.string(),
  code: z.string(),
  expiresAt: z.string(),
  pollAfterMs: z.number(),
});
const polled = z.object({
  state: z.enum(['waiting', 'accepted', 'refused', 'expired']),
  token: z.string().optional(),
});

/** Where a pairing stands, with its token where it was just accepted. */
export type PairingState = z.infer<typeof polled>;

/** A request to be let in that the person has not answered yet. */
export type Pairing = z.infer<typeof asked>;

/** Asks to be let in. The person compares the code. */
export const requestPairing = async (url: string, name: string): Promise<Pairing> =>
  asked.parse((await callBridge(new URL('/companion/pairings', url), 'POST', { body: { name } })).body);

/** Where a pairing stands; the token comes once, with the first read after the person has accepted. */
export const readPairing = async (url: string, { pairingId, pairingSecret }: Pairing): Promise<PairingState> => {
  const address = new URL(`/companion/pairings/${encodeURIComponent(pairingId)}`, url);
  return polled.parse((await callBridge(address, 'GET', { authorization: `Pairing ${pairingSecret}` })).body);
};
