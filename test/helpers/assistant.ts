import { request } from 'node:http';
import * as z from 'zod';
import type { World } from './world.ts';

export type BridgeAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
};
type Call = { headers?: Record<string, string>; body?: unknown; raw?: string };

/** Sends a request with any headers, like any program on this machine. */
export const callBridge = (
  url: string,
  method: string,
  path: string,
  { headers = {}, body, raw }: Call = {},
): Promise<BridgeAnswer> =>
  new Promise((resolve, reject) => {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const { hostname, port } = new URL(url);
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        headers: {
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const got = Buffer.concat(chunks).toString();
          const isJson = String(response.headers['content-type']).includes('json');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson ? (JSON.parse(got) as Record<string, unknown>) : { text: got },
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });

const pairing = z.object({ pairingId: z.string(), pairingSecret: z.string(), code: z.string() });

/** Pairs an assistant and returns it as the core's asker. */
export const pairAsker = (world: World, name: string) => {
  const { assistants } = world.companion();
  const { pairingId, pairingSecret } = assistants.requestPairing(name);
  assistants.accept(pairingId);
  const by = assistants.authenticate(assistants.poll(pairingId, pairingSecret).token ?? '');
  if (!by) throw new Error('It was not paired.');
  return { kind: by.kind, assistantId: by.assistantId, name: by.name };
};

/** Pairs an assistant: the person compares the code and accepts. */
export const pairAssistant = async (world: World, url: string, name = 'Tidy Helper') => {
  const asked = pairing.parse((await callBridge(url, 'POST', '/companion/pairings', { body: { name } })).body);
  const shown = world
    .companion()
    .assistants.list()
    .pairings.find((one) => one.pairingId === asked.pairingId);
  if (shown?.code !== asked.code) throw new Error('The codes differ.');
  world.companion().assistants.accept(asked.pairingId);
  const collected = await callBridge(url, 'GET', `/companion/pairings/${asked.pairingId}`, {
    headers: { authorization: `Pairing ${asked.pairingSecret}` },
  });
  const token = z.object({ token: z.string() }).parse(collected.body).token;
  return {
    token,
    pairing: asked,
    call: (method: string, path: string, call: Call = {}) =>
      callBridge(url, method, path, { ...call, headers: { authorization: `Bearer ${token}`, ...call.headers } }),
  };
};
