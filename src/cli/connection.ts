import { randomBytes } from 'node:crypto';
import { Agent, request as sendRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import * as z from 'zod';
import { isSameDigest, proofOf } from '../bridge/proof.ts';
import { sha256 } from '../core/assistants/pairings.ts';
import { abortReason } from '../core/base/abortable.ts';
import { Problem } from '../core/base/problem.ts';

/** The problem that there is no companion to talk to. */
export const notRunning = (cause?: unknown): Problem =>
  new Problem('NOT_RUNNING', 'Listing Companion is not running. Start it, then try again.', { cause });

const notProven = (port: number, cause?: unknown): Problem =>
  new Problem(
    'NOT_PROVEN',
    `The program at 127.0.0.1:${port} did not prove that it is Listing Companion, so nothing secret was sent to it. Update Listing Companion if it is older than this program, and restart it.`,
    { cause },
  );

/** A secret that both sides know: the token of a pairing, or the secret of a request to be let in. */
export type Secret = { token: string } | { pairingId: string; pairingSecret: string };

const textOf = (secret: Secret): string => ('token' in secret ? secret.token : secret.pairingSecret);
export const authorizationOf = (secret: Secret): string =>
  'token' in secret ? `Bearer ${secret.token}` : `Pairing ${secret.pairingSecret}`;

export type Sent = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

/** One connection to a port of this machine. It is never replaced by another: what is proven on it holds for it alone. */
export type Connection = { port: number; send: (sent: Sent) => Promise<IncomingMessage>; close: () => void };

/**
 * Opens a connection to 127.0.0.1. An agent of its own keeps out what the environment says of proxies, and no redirect
 * is followed. `send` throws `NOT_RUNNING` when nobody answers, and the signal's reason.
 */
export const openConnection = (port: number): Connection => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let socket: Socket | undefined;
  agent.createConnection = (_options, onCreated) => {
    if (socket === undefined) return (socket = connect({ host: '127.0.0.1', port, noDelay: true }));
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
      sent.once('error', (error) => reject(signal?.aborted ? abortReason(signal) : notRunning(error)));
      sent.end(content);
    });
  return { port, send, close: () => agent.destroy() };
};

/** What is read at most of an answer, and waited for, before the other end has proven itself. */
const maxUnprovenBytes = 64 * 1024;
const maxUnprovenMs = 10_000;

/** The body of an answer as text. Throws where it has more bytes than `maxBytes`. */
export const readText = async (answer: IncomingMessage, maxBytes = Infinity): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/**
 * Sends what is not secret to a program that has proven nothing, and reads its short JSON. Throws `NOT_PROVEN` for one
 * that is slow, long-winded or speaks no JSON, and as `send` does.
 */
export const sendUnproven = async (
  { port, send }: Connection,
  sent: Sent,
): Promise<{ status: number; body: unknown }> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('The answer took too long.')), maxUnprovenMs);
  const signal = sent.signal === undefined ? late.signal : AbortSignal.any([sent.signal, late.signal]);
  try {
    const answer = await send({ ...sent, signal });
    return { status: answer.statusCode ?? 0, body: JSON.parse(await readText(answer, maxUnprovenBytes)) as unknown };
  } catch (error) {
    sent.signal?.throwIfAborted();
    throw error instanceof Problem ? error : notProven(port, error);
  } finally {
    clearTimeout(timer);
  }
};

const provenAnswer = z.object({ proof: z.string() });

/**
 * Has the other end of a connection prove that it knows the secret, without telling it. Nothing that it says is passed on
 * before. Throws `NOT_PROVEN`, `UNAUTHORIZED` where it says that it knows no such pairing, and as `send` does.
 */
export const requireProof = async (
  connection: Connection,
  secret: Secret,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const { port } = connection;
  const hash = sha256(textOf(secret));
  const bound = { nonce: randomBytes(32).toString('base64url'), port };
  const body = {
    nonce: bound.nonce,
    tag: proofOf(hash, 'caller', bound),
    ...('token' in secret ? {} : { pairingId: secret.pairingId }),
  };
  const answer = await sendUnproven(connection, { method: 'POST', path: '/companion/proof', body, signal });
  if (answer.status === 401)
    throw new Problem('UNAUTHORIZED', 'The companion knows no such pairing. Pair with it again.');
  const { data } = provenAnswer.safeParse(answer.body);
  if (data === undefined || !isSameDigest(data.proof, proofOf(hash, 'companion', bound))) throw notProven(port);
};
