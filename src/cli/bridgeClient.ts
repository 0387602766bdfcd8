import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { readDiscoveryFile, type Discovery } from '../bridge/discovery.ts';
import { createProblem, Problem } from '../core/base/problem.ts';
import {
  toAuthorizationHeader,
  createNotProvenProblem,
  createNotRunningProblem,
  openLoopbackConnection,
  readAnswerText,
  requireConnectionProof,
  sendUnprovenRequest,
  createUnreadableFileProblem,
  type Secret,
  type OutgoingRequest,
} from './connection.ts';
import { getTokenKeychainName, openClientTokenStore, type TokenStore } from '../host/clientTokens.ts';

type FoundCompanion = Pick<Discovery, 'url' | 'version'> & { port: number };

const isFileMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Throws `NOT_RUNNING` or `DISCOVERY_UNREADABLE`. */
const requireRunningCompanion = async (dataDir: string): Promise<FoundCompanion> => {
  const found = await readDiscoveryFile(dataDir).catch((error: unknown) => {
    throw isFileMissing(error) ? createNotRunningProblem(error) : createUnreadableFileProblem(error);
  });
  if (found === null) throw createNotRunningProblem();
  return found;
};

type BridgeRequest = OutgoingRequest & {
  /** Receives each event if the answer is an event stream. The last event contains the result. */
  onEvent?: (event: unknown) => void;
};
type BridgeAnswer = { status: number; body: unknown };

const refusal = z.looseObject({ error: z.string(), code: z.string(), field: z.string().optional() });

const toBridgeProblem = (status: number, body: unknown, retryAfter: string | null): Problem => {
  const parsed = refusal.safeParse(body);
  if (!parsed.success) return new Problem('UNEXPECTED_ANSWER', `The companion answered ${status} without a reason.`);
  const { error, code, field } = parsed.data;
  return new Problem(code, error, {
    ...(field === undefined ? {} : { field }),
    ...(retryAfter !== null && /^\d+$/.test(retryAfter) ? { retryAfterS: Number(retryAfter) } : {}),
  });
};

const parseEventData = (event: string): unknown => {
  const data = event
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []));
  return data.length === 0 ? null : (JSON.parse(data.join('\n')) as unknown);
};

const readLastEvent = async (answer: IncomingMessage, onEvent?: (event: unknown) => void): Promise<unknown> => {
  let last: unknown = null;
  let text = '';
  for await (const piece of answer.setEncoding('utf8') as AsyncIterable<string>) {
    const events = `${text}${piece}`.split(/\r?\n\r?\n/);
    text = events.pop() ?? '';
    for (const event of events) {
      last = parseEventData(event) ?? last;
      onEvent?.(last);
    }
  }
  return last;
};

const isSuccessStatus = (status: number): boolean => status >= 200 && status <= 299;

const readBridgeAnswer = async (answer: IncomingMessage, { signal, onEvent }: BridgeRequest): Promise<BridgeAnswer> => {
  const { statusCode: status = 0, headers } = answer;
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  const body: unknown = isStream
    ? await readLastEvent(answer, onEvent).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw new Problem('NO_ANSWER', 'Listing Companion stopped before it had answered.', { cause: error });
      })
    : await readAnswerText(answer)
        .then((text) => JSON.parse(text) as unknown)
        .catch(() => null);
  if (!isSuccessStatus(status)) throw toBridgeProblem(status, body, headers['retry-after'] ?? null);
  return { status, body };
};

/** Throws `UNEXPECTED_ANSWER` if the body does not match the schema. */
export const parseAnswerBody = <S extends z.ZodType>(shape: S, body: unknown): z.infer<S> => {
  const { data, error } = shape.safeParse(body);
  if (data === undefined)
    throw new Problem(
      'UNEXPECTED_ANSWER',
      'Listing Companion answered something that this program does not understand. Update both to the same version.',
      { cause: error },
    );
  return data;
};

/**
 * The program at the port must first prove that it knows the secret. Throws `NOT_RUNNING`, `NOT_PROVEN` or
 * `UNAUTHORIZED` before the request is sent. Throws the companion's refusal as a `Problem`.
 */
export const sendProvenRequest = async (
  { port }: { port: number },
  secret: Secret,
  call: BridgeRequest,
): Promise<BridgeAnswer> => {
  const { onEvent: _told, ...sent } = call;
  const connection = await openLoopbackConnection(port, sent.signal);
  try {
    await requireConnectionProof(connection, secret, sent.signal);
    const headers = { ...sent.headers, authorization: toAuthorizationHeader(secret) };
    return await readBridgeAnswer(await connection.send({ ...sent, headers }), call);
  } finally {
    connection.close();
  }
};

export type ClientPlace = { dataDir: string; ownData: boolean; keychain: 'system' | 'memory'; env: NodeJS.ProcessEnv };
export type BridgeClient = {
  find: () => Promise<FoundCompanion>;
  tokens: () => Promise<TokenStore>;
  /** If the client has no identity, its token lasts only as long as this process. */
  tokensOf: (identity: string | null) => Promise<TokenStore>;
  /** Throws `NOT_PAIRED` if this command line has no token. */
  call: (method: string, path: string, more?: Omit<BridgeRequest, 'method' | 'path'>) => Promise<BridgeAnswer>;
};

/** All other token names are hashes, so no client can choose this name. */
const commandLineTokenName = 'command line';

export const createBridgeClient = (place: ClientPlace): BridgeClient => {
  let own: Promise<TokenStore> | undefined;
  const find: BridgeClient['find'] = () => requireRunningCompanion(place.dataDir);
  const tokens: BridgeClient['tokens'] = () => (own ??= openClientTokenStore(place, commandLineTokenName, place.env));
  const tokensOf: BridgeClient['tokensOf'] = (identity) =>
    openClientTokenStore(place, identity === null ? null : getTokenKeychainName(identity, place), place.env);
  const call: BridgeClient['call'] = async (method, path, more) => {
    const found = await find();
    const token = await (await tokens()).get();
    if (token === null)
      throw new Problem('NOT_PAIRED', 'This command line is not paired yet. Run "listing-companion pair" first.');
    return sendProvenRequest(found, { token }, { ...more, method, path });
  };
  return { find, tokens, tokensOf, call };
};

const pairingSchema = z.object({
  pairingId: z.string().max(60),
  pairingSecret: z.string().max(100),
  code: z.string().regex(/^\d{6}$/),
  pollAfterMs: z.int().min(1).max(60_000),
});
const pairingStateSchema = z.object({
  state: z.enum(['waiting', 'accepted', 'refused', 'expired']),
  token: z.string().optional(),
});

export type PairingState = z.infer<typeof pairingStateSchema>;

export type Pairing = z.infer<typeof pairingSchema>;

/**
 * The program at the port has not proven that it is the companion, so it receives only the name, and its texts are
 * never shown.
 */
export const requestPairing = async ({ port }: FoundCompanion, name: string): Promise<Pairing> => {
  const connection = await openLoopbackConnection(port);
  try {
    const body = { name };
    const answer = await sendUnprovenRequest(connection, { method: 'POST', path: '/companion/pairings', body });
    const { data } = pairingSchema.safeParse(answer.body);
    if (isSuccessStatus(answer.status) && data !== undefined) return data;
    throw toPairingProblem(answer.status, port);
  } finally {
    connection.close();
  }
};

const toPairingProblem = (status: number, port: number): Problem => {
  if (status === 429) return createProblem('TOO_MANY_PAIRINGS', { retryAfterS: 60 });
  if (status === 400)
    return new Problem('INVALID_REQUEST', 'The companion does not take this name.', { field: 'name' });
  return createNotProvenProblem(port);
};

/** The token is returned only by the first call after the person accepts the pairing. */
export const readPairingState = async (found: FoundCompanion, pairing: Pairing): Promise<PairingState> => {
  const path = `/companion/pairings/${encodeURIComponent(pairing.pairingId)}`;
  return parseAnswerBody(pairingStateSchema, (await sendProvenRequest(found, pairing, { method: 'GET', path })).body);
};
