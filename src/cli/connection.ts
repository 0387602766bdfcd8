import { randomBytes } from 'node:crypto';
import { Agent, request as sendRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import * as z from 'zod';
import { formatSocketAddress, areDigestsEqual, computeConnectionProof, type ProofBinding } from '../bridge/proof.ts';
import { hashWithSha256 } from '../core/assistants/pairings.ts';
import { getAbortReason } from '../core/base/raceWithAbort.ts';
import { Problem } from '../core/base/problem.ts';

export const createNotRunningProblem = (cause?: unknown): Problem =>
  new Problem('NOT_RUNNING', 'Listing Companion is not running. Start it, then try again.', { cause });

export const createUnreadableFileProblem = (cause?: unknown): Problem =>
  new Problem(
    'DISCOVERY_UNREADABLE',
    'The file bridge.json in the data folder is not as Listing Companion writes it. Quit Listing Companion and start it again, which rewrites the file.',
    { cause },
  );

const createNotAnsweringProblem = (port: number, cause?: unknown): Problem =>
  new Problem(
    'NOT_ANSWERING',
    `The program at 127.0.0.1:${port} takes connections and does not answer. If it is Listing Companion, quit it, by force where it hangs, and start it again.`,
    { cause },
  );

/**
 * Creates the error for the case that another program uses the companion's port, or that the companion is too old to
 * prove itself.
 */
export const createNotProvenProblem = (port: number, cause?: unknown): Problem =>
  new Problem(
    'NOT_PROVEN',
    `The program at 127.0.0.1:${port} did not prove that it is Listing Companion, so nothing secret was sent to it. Update Listing Companion if it is older than this program, and restart it.`,
    { cause },
  );

export type Secret = { token: string } | { pairingId: string; pairingSecret: string };

const getSecretText = (secret: Secret): string => ('token' in secret ? secret.token : secret.pairingSecret);
export const toAuthorizationHeader = (secret: Secret): string =>
  'token' in secret ? `Bearer ${secret.token}` : `Pairing ${secret.pairingSecret}`;

export type OutgoingRequest = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

const maxUnprovenBytes = 64 * 1024;
const maxUnprovenMs = 10_000;

/** `caller` is the local address and port. A proof is valid for one connection, so a connection is never replaced. */
export type Connection = {
  port: number;
  caller: string;
  send: (sent: OutgoingRequest) => Promise<IncomingMessage>;
  close: () => void;
};

const connectToPort = async (port: number, signal: AbortSignal | undefined): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const late = AbortSignal.timeout(maxUnprovenMs);
  try {
    await once(socket, 'connect', { signal: signal === undefined ? late : AbortSignal.any([signal, late]) });
    // Each request handles its own errors. Errors between two requests need no action.
    return socket.on('error', () => undefined);
  } catch (error) {
    socket.destroy();
    if (signal?.aborted) throw getAbortReason(signal);
    throw late.aborted ? createNotAnsweringProblem(port, error) : createNotRunningProblem(error);
  }
};

/** The companion always answers in HTTP, so an answer that Node cannot parse as HTTP comes from another program. */
const isInvalidHttpError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('HPE_');

/**
 * Ignores proxies in the environment. Throws `NOT_RUNNING` or `NOT_ANSWERING`, or the signal's reason if `opening` is
 * aborted. A request on the connection throws `NOT_PROVEN` if its answer is not HTTP.
 */
export const openLoopbackConnection = async (port: number, opening?: AbortSignal): Promise<Connection> => {
  const socket = await connectToPort(port, opening);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isTaken = false;
  agent.createConnection = (_options, onCreated) => {
    if (!isTaken && !socket.destroyed) {
      isTaken = true;
      return socket;
    }
    onCreated?.(new Error('The connection was closed.'), socket);
    return undefined;
  };
  const send: Connection['send'] = ({ method, path, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const content = body === undefined ? undefined : JSON.stringify(body);
      const sent = sendRequest(
        {
          ...{ agent, host: '127.0.0.1', port, method, path, signal },
          headers: {
            accept: 'application/json, text/event-stream',
            ...headers,
            ...(content === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
          },
        },
        resolve,
      );
      const rejectRequest = (error?: unknown): void => {
        if (signal?.aborted) reject(getAbortReason(signal));
        else reject(isInvalidHttpError(error) ? createNotProvenProblem(port, error) : createNotRunningProblem(error));
      };
      sent.once('error', rejectRequest);
      // If an answer upgrades the protocol, Node emits only `close`.
      sent.once('close', rejectRequest);
      sent.end(content);
    });
  return {
    port,
    caller: formatSocketAddress(socket.localAddress, socket.localPort),
    send,
    close: () => socket.destroy(),
  };
};

export const readAnswerText = async (answer: IncomingMessage, maxBytes = Infinity): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Throws `NOT_ANSWERING` if the answer is late, and `NOT_PROVEN` if the answer is too long or is not JSON. */
export const sendUnprovenRequest = async (
  { port, send }: Connection,
  sent: OutgoingRequest,
): Promise<{ status: number; body: unknown }> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('The answer took too long.')), maxUnprovenMs);
  const signal = sent.signal === undefined ? late.signal : AbortSignal.any([sent.signal, late.signal]);
  try {
    const answer = await send({ ...sent, signal });
    return {
      status: answer.statusCode ?? 0,
      body: JSON.parse(await readAnswerText(answer, maxUnprovenBytes)) as unknown,
    };
  } catch (error) {
    sent.signal?.throwIfAborted();
    if (late.signal.aborted) throw createNotAnsweringProblem(port, error);
    throw error instanceof Problem ? error : createNotProvenProblem(port, error);
  } finally {
    clearTimeout(timer);
  }
};

/** After too many proof requests, the companion refuses further ones for up to this time. */
const busyRetryS = 60;
const createBusyProblem = (): Problem =>
  new Problem(
    'SLOW_DOWN',
    `Too many programs asked Listing Companion for a proof. Try again in ${busyRetryS} seconds.`,
    {
      retryAfterS: busyRetryS,
    },
  );

const provenAnswer = z.object({ proof: z.string() });

/**
 * The proof does not reveal the secret. Throws `NOT_PROVEN`, `NOT_ANSWERING`, `SLOW_DOWN`, or `UNAUTHORIZED` if the
 * program at the port does not know the pairing.
 */
export const requireConnectionProof = async (
  connection: Connection,
  secret: Secret,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const { caller, port } = connection;
  const hash = hashWithSha256(getSecretText(secret));
  const bound: ProofBinding = { nonce: randomBytes(32).toString('base64url'), caller, port };
  const body = {
    nonce: bound.nonce,
    tag: computeConnectionProof(hash, 'caller', bound),
    ...('token' in secret ? {} : { pairingId: secret.pairingId }),
  };
  const answer = await sendUnprovenRequest(connection, { method: 'POST', path: '/companion/proof', body, signal });
  if (answer.status === 401)
    throw new Problem(
      'UNAUTHORIZED',
      'The companion knows no such pairing, or another program stands between you and it. Pair with it again only if the person has removed you.',
    );
  if (answer.status === 429) throw createBusyProblem();
  const { data } = provenAnswer.safeParse(answer.body);
  if (data === undefined || !areDigestsEqual(data.proof, computeConnectionProof(hash, 'companion', bound)))
    throw createNotProvenProblem(port);
};
