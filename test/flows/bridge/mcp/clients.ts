import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitationCompleteNotificationSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

/** The result of a tool, in the same form for every client. */
export type Answer = {
  isError: boolean;
  data: Record<string, unknown>;
  /** False if the data stands only in the text, as beside images. */
  isStructured: boolean;
  text: string;
  images: Image[];
};
/** An image in a result. */
export type Image = { bytes: Buffer; mimeType: string };
export type Described = z.infer<typeof described>;

/** The signal that aborts a call, and the listener for its progress. */
type CallOptions = { signal?: AbortSignal; onprogress?: (progress: { progress: number; message?: string }) => void };

/** A connected official client. */
export type McpClient = {
  revision: string;
  instructions: string;
  tools: () => Promise<Described[]>;
  call: (name: string, args?: Record<string, unknown>, options?: CallOptions) => Promise<Answer>;
  close: () => Promise<void>;
};

const described = z.looseObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: z.looseObject({ type: z.literal('object') }).optional(),
  annotations: z.object({
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean().optional(),
    openWorldHint: z.boolean().optional(),
  }),
});
const result = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  content: z.tuple(
    [z.object({ type: z.literal('text'), text: z.string() }), z.object({ type: z.literal('text'), text: z.string() })],
    z.object({ type: z.literal('image'), data: z.base64(), mimeType: z.string() }),
  ),
});
const listed = z.looseObject({ tools: z.array(described) });

const answerOf = (raw: unknown): Answer => {
  const { isError = false, structuredContent, content } = result.parse(raw);
  const [{ text }, { text: json }, ...pictures] = content;
  const images = pictures.map(({ data, mimeType }) => ({ bytes: Buffer.from(data, 'base64'), mimeType }));
  const data = structuredContent ?? z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  return { isError, data, isStructured: structuredContent !== undefined, text, images };
};

const headersOf = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
const me = { name: 'test', version: '1.0.0' };

/** A client's requests to open addresses for the person, and the person's answer to them. */
export type Opening = {
  answer: 'accept' | 'decline';
  asked: { url: string; message: string }[];
  /** How many completion messages the client received. */
  completed: number;
};
const asked = z.looseObject({ mode: z.literal('url'), url: z.string(), message: z.string() });
const opens = { capabilities: { elicitation: { url: {} } } };
const recordOpening = (opening: Opening, params: unknown): { action: 'accept' | 'decline' } => {
  const { url, message } = asked.parse(params);
  opening.asked.push({ url, message });
  return { action: opening.answer };
};

/** Connects the version 2 client, which uses only the given revision. */
const connectV2 = async (
  url: string,
  token: string,
  revision: '2025-11-25' | '2026-07-28',
  opening?: Opening,
): Promise<McpClient> => {
  const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
  const client = new Client(me, { versionNegotiation: { mode }, ...(opening ? opens : {}) });
  if (opening) {
    client.setRequestHandler('elicitation/create', ({ params }) => recordOpening(opening, params));
    client.setNotificationHandler('notifications/elicitation/complete', () => void (opening.completed += 1));
  }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), headersOf(token)));
  return {
    revision: client.getNegotiatedProtocolVersion() ?? '',
    instructions: client.getInstructions() ?? '',
    tools: async () => listed.parse(await client.listTools()).tools,
    call: async (name, args = {}, options = {}) => answerOf(await client.callTool({ name, arguments: args }, options)),
    close: () => client.close(),
  };
};

const connectV1 = async (url: string, token: string, opening?: Opening): Promise<McpClient> => {
  const client = new ClientV1(me, opening ? opens : {});
  if (opening) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => recordOpening(opening, params));
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, () => void (opening.completed += 1));
  }
  const transport = new HttpTransportV1(new URL('/mcp', url), headersOf(token));
  await client.connect(transport);
  return {
    revision: transport.protocolVersion ?? '',
    instructions: client.getInstructions() ?? '',
    tools: async () => listed.parse(await client.listTools()).tools,
    call: async (name, args = {}, options = {}) =>
      answerOf(await client.callTool({ name, arguments: args }, undefined, options)),
    close: () => client.close(),
  };
};

/** The official clients by name, each with the revision that it negotiates. */
export const clients = {
  'the version 1 client': { revision: '2025-11-25', connect: connectV1 },
  'the version 2 client on 2025-11-25': {
    revision: '2025-11-25',
    connect: (url: string, token: string, opening?: Opening) => connectV2(url, token, '2025-11-25', opening),
  },
  'the version 2 client on 2026-07-28': {
    revision: '2026-07-28',
    connect: (url: string, token: string, opening?: Opening) => connectV2(url, token, '2026-07-28', opening),
  },
} as const;

export const connect = (url: string, token: string): Promise<McpClient> => connectV2(url, token, '2026-07-28');
