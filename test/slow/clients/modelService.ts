import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';

/** What a client gives its model after a tool call. */
export type Received = { text: string; images: { mimeType: string; bytes: Buffer }[] };
export type ModelCall = { tool: string; args: Record<string, unknown> };

/** The model's calls in turn. Each call receives its result; the returned sentence ends the conversation. */
export type ModelStory = AsyncGenerator<ModelCall, string, Received>;

/** A model's answer: one call with its id, or the sentence that ends the conversation. */
type ModelAnswer = { id: string; call: ModelCall } | { sentence: string };

/** How a client speaks to its model service. */
type Protocol = {
  path: string;
  /** Returns whether the request belongs to the conversation; clients also make small requests of their own. */
  isConversation: (body: unknown) => boolean;
  /** Returns the result of the call, or null if the request does not contain it. */
  findResult: (body: unknown, id: string) => Received | null;
  /** The events of the streamed answer. */
  toEvents: (answer: ModelAnswer) => { type: string }[];
};

const toImage = (mimeType: string, base64: string) => ({ mimeType, bytes: Buffer.from(base64, 'base64') });

const namedTools = z.looseObject({ tools: z.array(z.looseObject({ name: z.string().optional() })).min(1) });

const claudeBlock = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image'),
    source: z.looseObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  }),
  z.looseObject({ type: z.string() }),
]);
const claudeResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(claudeBlock)]).default(''),
});
const claudeRequest = z.looseObject({
  messages: z.array(z.looseObject({ content: z.union([z.string(), z.array(z.unknown())]) })),
});

const toClaudeReceived = (content: z.infer<typeof claudeResult>['content']): Received => {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const texts = z.object({ type: z.literal('text'), text: z.string() });
  const images = z.looseObject({ source: z.looseObject({ media_type: z.string(), data: z.string() }) });
  return {
    text: blocks.map((block) => texts.safeParse(block).data?.text ?? '').join('\n'),
    images: blocks.flatMap((block) => {
      const image = images.safeParse(block).data;
      return image === undefined ? [] : [toImage(image.source.media_type, image.source.data)];
    }),
  };
};

const claudeMessage = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-5-5' };

const anthropicMessages: Protocol = {
  path: '/v1/messages',
  isConversation: (body) =>
    namedTools.safeParse(body).data?.tools.some(({ name = '' }) => name === 'ToolSearch' || /^mcp__/.test(name)) ??
    false,
  findResult: (body, id) => {
    const parts = claudeRequest.parse(body).messages.flatMap(({ content }) => content);
    const results = parts.flatMap((part) => claudeResult.safeParse(part).data ?? []);
    const found = results.find(({ tool_use_id: of }) => of === id);
    return found === undefined ? null : toClaudeReceived(found.content);
  },
  toEvents: (answer) => {
    const isCall = 'call' in answer;
    const usage = { input_tokens: 1, output_tokens: 1 };
    const block = isCall
      ? { type: 'tool_use', id: answer.id, name: answer.call.tool, input: {} }
      : { type: 'text', text: '' };
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(answer.call.args) }
      : { type: 'text_delta', text: answer.sentence };
    const message = { ...claudeMessage, content: [], stop_reason: null, stop_sequence: null, usage };
    return [
      { type: 'message_start', ...{ message } },
      { type: 'content_block_start', ...{ index: 0, content_block: block } },
      { type: 'content_block_delta', ...{ index: 0, delta } },
      { type: 'content_block_stop', ...{ index: 0 } },
      {
        type: 'message_delta',
        ...{ delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
      },
      { type: 'message_stop' },
    ];
  },
};

const codexPart = z.union([
  z.looseObject({ type: z.literal('input_text'), text: z.string() }),
  z.looseObject({ type: z.literal('input_image'), image_url: z.string() }),
]);
const codexOutput = z.looseObject({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.union([z.string(), z.array(codexPart)]),
});
const codexRequest = z.looseObject({ input: z.array(z.unknown()) });

const toCodexReceived = (output: z.infer<typeof codexOutput>['output']): Received => {
  if (typeof output === 'string') return { text: output, images: [] };
  return {
    text: output.map((part) => (part.type === 'input_text' ? part.text : '')).join('\n'),
    images: output.flatMap((part) => {
      const [, mimeType, base64] =
        part.type === 'input_image' ? (/^data:([\w/]+);base64,(.+)$/.exec(part.image_url) ?? []) : [];
      return mimeType === undefined || base64 === undefined ? [] : [toImage(mimeType, base64)];
    }),
  };
};

const openAiResponses: Protocol = {
  path: '/v1/responses',
  isConversation: (body) => namedTools.safeParse(body).success,
  findResult: (body, id) => {
    const outputs = codexRequest.parse(body).input.flatMap((item) => codexOutput.safeParse(item).data ?? []);
    const found = outputs.find(({ call_id: of }) => of === id);
    return found === undefined ? null : toCodexReceived(found.output);
  },
  toEvents: (answer) => {
    const [, namespace = '', name = ''] = 'call' in answer ? (/^(.*__)?(.*)$/.exec(answer.call.tool) ?? []) : [];
    const item =
      'call' in answer
        ? {
            ...{ type: 'function_call', call_id: answer.id, name, arguments: JSON.stringify(answer.call.args) },
            ...(namespace === '' ? {} : { namespace: namespace.replace(/__$/, '') }),
          }
        : { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer.sentence }] };
    const usage = {
      ...{ input_tokens: 1, input_tokens_details: null },
      ...{ output_tokens: 1, output_tokens_details: null, total_tokens: 2 },
    };
    return [
      { type: 'response.created', ...{ response: { id: 'resp_1' } } },
      { type: 'response.output_item.done', ...{ output_index: 0, item } },
      { type: 'response.completed', ...{ response: { id: 'resp_1', usage } } },
    ];
  },
};

export const modelProtocols = { anthropicMessages, openAiResponses };

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(z.instanceof(Buffer).parse(chunk));
  return JSON.parse(Buffer.concat(chunks).toString() || 'null');
};

const sendEvents = (response: ServerResponse, events: { type: string }[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
};

/** The first step of a story has no result. */
const noResult: Received = { text: '', images: [] };

/** Starts a model service on this machine whose model makes the calls of a story, one after another. */
export const startModelService = async (protocol: Protocol, story: ModelStory) => {
  let last: ModelAnswer | null = null;
  const answerConversation = async (body: unknown): Promise<ModelAnswer> => {
    if (last !== null && 'sentence' in last) return last;
    const result = last === null ? noResult : protocol.findResult(body, last.id);
    // A client that repeats a request gets the same answer again.
    if (result === null && last !== null) return last;
    const step = await story.next(result ?? noResult);
    last = step.done
      ? { sentence: step.value }
      : { id: `call_${Math.random().toString(36).slice(2)}`, call: step.value };
    return last;
  };
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const body = await readJson(request);
      if (!request.url?.startsWith(protocol.path)) return void response.writeHead(404).end('{}');
      const answer = protocol.isConversation(body) ? await answerConversation(body) : { sentence: 'Listings' };
      sendEvents(response, protocol.toEvents(answer));
    };
    serve().catch((error: unknown) => response.writeHead(400).end(JSON.stringify({ error: String(error) })));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    stop: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};
