import { Problem } from '../../core/base/problem.ts';
import {
  sendProvenRequest,
  readPairingState,
  requestPairing,
  type BridgeClient,
  type Pairing,
  type PairingState,
} from '../bridgeClient.ts';
import type { TokenStore } from '../../host/clientTokens.ts';
import * as z from 'zod';
import { toRefusalResult, toToolProblem, createWindowRequest } from '../../bridge/mcp/callTool.ts';
import { formatGuideMarkdown as writeGuide } from '../../bridge/guide.ts';
import type { RunTool, ToolCall } from '../../bridge/mcp/mcpServer.ts';
import { cardMeta, cardCapabilities } from '../../bridge/mcp/resources.ts';

const noIdentityHint =
  'It has no identity in its configuration, so you are asked about it each time it starts: Listing Companion, Assistants, shows the entry for it.';

/** `pairingCode` is the code that the person must compare before they accept the client. */
class NotPairedProblem extends Problem {
  readonly pairingCode: string;

  constructor(pairingCode: string, hint: string) {
    super(
      'NOT_PAIRED',
      `The person has not let you in yet. Open Listing Companion, Assistants, and accept when it shows the code ${pairingCode}.${hint}`,
    );
    this.pairingCode = pairingCode;
  }
}

const createRefusalProblem = (): Problem =>
  new Problem('PAIRING_REFUSED', 'The person did not let you in. Restart this client to ask again.');

type ClientAccess = {
  keptToken: () => Promise<string | null>;
  /** Throws `NOT_PAIRED` with the code to compare, or `PAIRING_REFUSED`. */
  pair: (name: string) => Promise<string>;
  greet: () => Promise<void>;
  readPairingCode: (error: unknown) => { pairingCode?: string };
};

/** The client chooses the name that the person sees, so the name must not grant any rights. */
const createClientAccess = (
  bridge: BridgeClient,
  identity: string | null,
  note: (line: string) => void,
): ClientAccess => {
  let opened: Promise<TokenStore> | undefined;
  const openOwnTokenStore = (): Promise<TokenStore> => (opened ??= bridge.tokensOf(identity));
  let granted: string | null = null;
  const findOwnToken = async (): Promise<string | null> => granted ?? (await openOwnTokenStore()).get();
  const hint = identity === null ? ` ${noIdentityHint}` : '';
  let openPairing: Pairing | null = null;
  let wasRefused = false;

  const requestClientPairing = async (name: string): Promise<Pairing> => {
    const pairing = await requestPairing(await bridge.find(), name);
    note(`${name} asks to be let in. Compare this code in Listing Companion, Assistants: ${pairing.code}`);
    if (identity === null) note(noIdentityHint);
    return pairing;
  };

  const readOpenPairing = async (pairing: Pairing): Promise<PairingState> =>
    readPairingState(await bridge.find(), pairing).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'UNAUTHORIZED') return { state: 'expired' };
      throw error;
    });

  const pair = async (name: string): Promise<string> => {
    if (wasRefused) throw createRefusalProblem();
    openPairing ??= await requestClientPairing(name);
    const { state, token } = await readOpenPairing(openPairing);
    const { code } = openPairing;
    if (state !== 'waiting') openPairing = null;
    if (token !== undefined) {
      granted = token;
      await (await openOwnTokenStore()).set(token);
      return token;
    }
    if (state === 'refused') wasRefused = true;
    if (state === 'refused') throw createRefusalProblem();
    if (state === 'waiting') throw new NotPairedProblem(code, hint);
    openPairing = await requestClientPairing(name);
    throw new NotPairedProblem(openPairing.code, hint);
  };

  return {
    keptToken: findOwnToken,
    pair,
    greet: async () => {
      const token = identity === null ? null : await findOwnToken();
      if (token !== null)
        await sendProvenRequest(await bridge.find(), { token }, { method: 'GET', path: '/companion/me' });
    },
    readPairingCode: (error) => (error instanceof NotPairedProblem ? { pairingCode: error.pairingCode } : {}),
  };
};

const revision = '2026-07-28';
const toolResult = z.looseObject({
  _meta: cardMeta.optional().catch(undefined),
  isError: z.boolean().optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  content: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
    ]),
  ),
});
/** The companion asks the client to open the companion's window. The URL in the answer is not trusted or parsed. */
const windowFirstResult = z.looseObject({
  resultType: z.literal('input_required'),
  requestState: z.string(),
  inputRequests: z.looseObject({
    window: z.looseObject({ params: z.looseObject({ message: z.string().max(1_000) }) }),
  }),
});
const mcpAnswer = z.union([
  z.looseObject({ result: windowFirstResult }),
  z.looseObject({ result: toolResult }),
  z.looseObject({ error: z.looseObject({ code: z.int() }) }),
]);

const toMcpMessage = ({ name, args, progress, opensUrls, showsCards, resumed }: ToolCall) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name,
    arguments: args,
    _meta: {
      ...(progress === undefined ? {} : { progressToken: 1 }),
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientCapabilities': {
        ...(opensUrls ? { elicitation: { url: {} } } : {}),
        ...(showsCards ? cardCapabilities : {}),
      },
    },
    ...(resumed === null ? {} : { requestState: resumed }),
  },
});

const progressEvent = z.looseObject({
  method: z.literal('notifications/progress'),
  params: z.looseObject({ message: z.string() }),
});

const reportCallProgress = ({ progress }: ToolCall, event: unknown): void => {
  const parsed = progressEvent.safeParse(event);
  if (parsed.success) progress?.(parsed.data.params.message);
};

/** Errors become tool results that explain the next step to the assistant. */
export const createCallForwarder = (bridge: BridgeClient, identity: string | null, note: (line: string) => void) => {
  const access = createClientAccess(bridge, identity, note);

  const sendToolCall = async (call: ToolCall, token: string): ReturnType<RunTool> => {
    const found = await bridge.find();
    const { body } = await sendProvenRequest(
      found,
      { token },
      {
        method: 'POST',
        path: '/mcp',
        body: toMcpMessage(call),
        headers: { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': call.name },
        signal: call.signal,
        onEvent: (event) => reportCallProgress(call, event),
      },
    );
    const parsed = mcpAnswer.parse(body);
    if ('error' in parsed) return null;
    const window = windowFirstResult.safeParse(parsed.result);
    if (window.success)
      return createWindowRequest(
        { url: new URL('/companion/window', found.url).href, message: window.data.inputRequests.window.params.message },
        window.data.requestState,
      );
    const { isError, structuredContent, content, _meta } = toolResult.parse(parsed.result);
    return {
      content,
      ...(isError === undefined ? {} : { isError }),
      ...(structuredContent === undefined ? {} : { structuredContent }),
      ...(_meta === undefined ? {} : { _meta }),
    };
  };

  /** Returns null if there is no token, or if the companion does not know the pairing. */
  const sendPairedCall = async (call: ToolCall): Promise<{ answer: Awaited<ReturnType<RunTool>> } | null> => {
    const token = await access.keptToken();
    if (token === null) return null;
    try {
      return { answer: await sendToolCall(call, token) };
    } catch (error) {
      if (error instanceof Problem && error.code === 'UNAUTHORIZED') return null;
      throw error;
    }
  };

  const forward: RunTool = async (call) => {
    try {
      await bridge.find();
      const paired = await sendPairedCall(call);
      // The stored token is kept until the person accepts a new pairing, because a program that is not the companion
      // could refuse the token.
      return paired === null ? await sendToolCall(call, await access.pair(call.client)) : paired.answer;
    } catch (error) {
      return toRefusalResult({ ...toToolProblem(error, call.name, call.args), ...access.readPairingCode(error) });
    }
  };
  /** This program writes the guide, because the program at the port has not proven itself. Throws `NOT_RUNNING`. */
  const guide = async (): Promise<string> => writeGuide((await bridge.find()).url);
  return { forward, guide, greet: () => access.greet().catch(() => undefined) };
};
