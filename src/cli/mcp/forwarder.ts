import { Problem } from '../../core/base/problem.ts';
import { type Bridge, requestPairing, readPairing, type Pairing, callBridge } from '../bridgeClient.ts';
import type { Tokens } from '../../host/clientTokens.ts';
import * as z from 'zod';
import { refused, toolProblemOf, windowRequired } from '../../bridge/mcp/callTool.ts';
import type { RunTool, ToolCall } from '../../bridge/mcp/mcpServer.ts';
import { cardMeta, showingCards } from '../../bridge/mcp/resources.ts';

/** What a client without an identity is told with each code. */
const withoutIdentity =
  'It has no identity in its configuration, so it is asked about anew each time it starts: Listing Companion, Assistants, shows the entry for it.';

/** The person has not accepted the client yet; holds the code to compare. */
class NotPaired extends Problem {
  readonly pairingCode: string;

  constructor(pairingCode: string, hint: string) {
    super(
      'NOT_PAIRED',
      `The person has not let you in yet. Open Listing Companion, Assistants, and accept when it shows the code ${pairingCode}.${hint}`,
    );
    this.pairingCode = pairingCode;
  }
}

const refusal = (): Problem =>
  new Problem('PAIRING_REFUSED', 'The person did not let you in. Restart this client to ask again.');

/** How the client of this process is known to the companion. */
export type ClientAccess = {
  /** The client's token, asked for under a name. Throws `NOT_PAIRED` with the code to compare, or `PAIRING_REFUSED`. */
  tokenFor: (name: string) => Promise<string>;
  forget: () => Promise<void>;
  /** Lets the companion know that a client that was let in is there; says nothing of what is in the way. */
  greet: () => Promise<void>;
  /** The code to compare, where that is what an error says. */
  codeOf: (error: unknown) => { pairingCode?: string };
};

/**
 * The token of this process's client: kept in the keychain under the client's identity, and asked for at the first call
 * that needs one. The name that the client gives itself is shown to the person and decides nothing.
 */
const createClientAccess = (bridge: Bridge, identity: string | null, note: (line: string) => void): ClientAccess => {
  let opened: Promise<Tokens> | undefined;
  const tokens = (): Promise<Tokens> => (opened ??= bridge.tokensOf(identity));
  const hint = identity === null ? ` ${withoutIdentity}` : '';
  let open: Pairing | null = null;
  let wasRefused = false;

  const ask = async (url: string, name: string): Promise<Pairing> => {
    const pairing = await requestPairing(url, name);
    note(`${name} asks to be let in. Compare this code in Listing Companion, Assistants: ${pairing.code}`);
    if (identity === null) note(withoutIdentity);
    return pairing;
  };

  const pair = async (name: string): Promise<string> => {
    if (wasRefused) throw refusal();
    const { url } = await bridge.find();
    open ??= await ask(url, name);
    const { state, token } = await readPairing(url, open);
    const { code } = open;
    if (state !== 'waiting') open = null;
    if (token !== undefined) return token;
    if (state === 'refused') wasRefused = true;
    if (state === 'refused') throw refusal();
    if (state === 'waiting') throw new NotPaired(code, hint);
    open = await ask(url, name);
    throw new NotPaired(open.code, hint);
  };

  return {
    tokenFor: async (name) => {
      const kept = await (await tokens()).get();
      if (kept !== null) return kept;
      const token = await pair(name);
      await (await tokens()).set(token);
      return token;
    },
    forget: async () => (await tokens()).remove(),
    greet: async () => {
      const kept = identity === null ? null : await (await tokens()).get();
      if (kept === null) return;
      const { url } = await bridge.find();
      await callBridge(new URL('/companion/me', url), 'GET', { authorization: `Bearer ${kept}` });
    },
    codeOf: (error) => (error instanceof NotPaired ? { pairingCode: error.pairingCode } : {}),
  };
};

const revision = '2026-07-28';
const result = z.looseObject({
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
/** The client is sent to the companion's window. It is sent to no other place, whatever is answered. */
const windowFirst = z.looseObject({
  resultType: z.literal('input_required'),
  requestState: z.string(),
  inputRequests: z.looseObject({
    window: z.looseObject({ params: z.looseObject({ message: z.string().max(1_000) }) }),
  }),
});
const answer = z.union([
  z.looseObject({ result: windowFirst }),
  z.looseObject({ result }),
  z.looseObject({ error: z.looseObject({ code: z.int() }) }),
]);

const messageOf = ({ name, args, progress, opensUrls, showsCards, resumed }: ToolCall) => ({
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
        ...(showsCards ? showingCards : {}),
      },
    },
    ...(resumed === null ? {} : { requestState: resumed }),
  },
});

const progressEvent = z.looseObject({
  method: z.literal('notifications/progress'),
  params: z.looseObject({ message: z.string() }),
});

/** Passes on how far a call is. */
const reportProgress = ({ progress }: ToolCall, event: unknown): void => {
  const parsed = progressEvent.safeParse(event);
  if (parsed.success) progress?.(parsed.data.params.message);
};

/**
 * Sends tool calls on to the running companion, as the client that was let in under its identity. Whatever stands in the way
 * (it is not running, the person has not let the client in) is a tool's refusal with the next step.
 */
export const createForwarder = (bridge: Bridge, identity: string | null, note: (line: string) => void) => {
  const access = createClientAccess(bridge, identity, note);

  const send: RunTool = async (call) => {
    const { url, mcpUrl } = await bridge.find();
    const token = await access.tokenFor(call.client);
    const { body } = await callBridge(new URL(mcpUrl), 'POST', {
      body: messageOf(call),
      authorization: `Bearer ${token}`,
      headers: { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': call.name },
      signal: call.signal,
      onEvent: (event) => reportProgress(call, event),
    });
    const parsed = answer.parse(body);
    if ('error' in parsed) return null;
    const window = windowFirst.safeParse(parsed.result);
    if (window.success)
      return windowRequired(
        { url: new URL('/companion/window', url).href, message: window.data.inputRequests.window.params.message },
        window.data.requestState,
      );
    const { isError, structuredContent, content, _meta } = result.parse(parsed.result);
    return {
      content,
      ...(isError === undefined ? {} : { isError }),
      ...(structuredContent === undefined ? {} : { structuredContent }),
      ...(_meta === undefined ? {} : { _meta }),
    };
  };

  const forward: RunTool = async (call) => {
    try {
      return await send(call).catch(async (error: unknown) => {
        if (!(error instanceof Problem) || error.code !== 'UNAUTHORIZED') throw error;
        // The person has taken the token back: ask anew.
        await access.forget();
        return send(call);
      });
    } catch (error) {
      return refused({ ...toolProblemOf(error, call.name, call.args), ...access.codeOf(error) });
    }
  };
  /** The guide of the running companion, which anybody may read. Throws `NOT_RUNNING`. */
  const guide = async (): Promise<string> => {
    const { url } = await bridge.find();
    const answer = await fetch(new URL('/companion/guide', url), { redirect: 'error' }).catch(() => null);
    if (!answer?.ok) throw new Problem('NOT_RUNNING', 'Listing Companion is not running. Start it, then try again.');
    return answer.text();
  };
  return { forward, guide, greet: () => access.greet().catch(() => undefined) };
};
