import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

const asked = z.object({
  model: z.string(),
  response_format: z.unknown().optional(),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.union([
        z.string(),
        z.array(
          z.object({
            type: z.string(),
            text: z.string().optional(),
            image_url: z.object({ url: z.string() }).optional(),
          }),
        ),
      ]),
    }),
  ),
});

type Asked = { path: string; authorization: string | undefined; raw: string } & z.infer<typeof asked>;
type Reply = (response: ServerResponse) => void;

export type ModelEndpoint = {
  /** The address that a person would configure. */
  address: string;
  /** All requests so far, in order. */
  asked: Asked[];
  /** The next answers in order; the last answer is repeated. */
  answers(...replies: Reply[]): void;
  close(): Promise<void>;
};

/** An answer of a model with this content. */
export const answerWith =
  (content: unknown): Reply =>
  (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));

/** An error answer with this status and body. */
export const answerError =
  (status: number, body = '', headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** No answer at all. */
export const isSilent: Reply = () => undefined;

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** Starts an OpenAI-compatible endpoint on loopback with scripted answers. */
export const startModelEndpoint = async (): Promise<ModelEndpoint> => {
  const questions: Asked[] = [];
  let replies: Reply[] = [];
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await readBody(request);
    const { url: path = '', headers } = request;
    questions.push({ path, authorization: headers.authorization, raw, ...asked.parse(JSON.parse(raw)) });
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    (reply ?? answerError(500))(response);
  };
  const server = createServer((request, response) => void hear(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: questions,
    answers: (...next) => void (replies = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
