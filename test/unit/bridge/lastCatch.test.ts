import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { sendProblemAnswer } from '../../../src/bridge/bridgeProblem.ts';
import { ServiceError } from '../../../src/core/service/serviceError.ts';

let server: Server;
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

const createRefusal = (more: { status?: number; code?: string; body?: unknown; retryAfterS?: number }) =>
  new ServiceError({ code: 'NO', sentence: 'No.', effect: 'refused', status: 409, ...more });

const answerTo = async (error: unknown, begin = false): Promise<Response> => {
  server = createServer((_request, response) => {
    if (begin) response.write('{"half":');
    sendProblemAnswer(response, error);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
};

const round: Record<string, unknown> = {};
round['round'] = round;
const thrown: [string, unknown, number, string][] = [
  ['a body that cannot be serialized', createRefusal({ body: { big: 1n } }), 500, 'INTERNAL'],
  ['a circular body', createRefusal({ body: round }), 500, 'INTERNAL'],
  ['an invalid status', createRefusal({ status: 1_000_000 }), 502, 'NO'],
  ['a status from the service', createRefusal({ status: 451 }), 451, 'NO'],
  ['a code named like a prototype property', createRefusal({ code: '__proto__' }), 409, '__proto__'],
  ['undefined was thrown', undefined, 500, 'INTERNAL'],
  ['a string was thrown', 'a secret text', 500, 'INTERNAL'],
];
test.each(thrown)(
  'the response to an error is valid JSON without internal text: %s',
  async (_what, error, status, code) => {
    const answer = await answerTo(error);
    const text = await answer.text();
    expect([answer.status, (JSON.parse(text) as { code: unknown }).code]).toEqual([status, code]);
    expect(text).not.toContain('secret');
    // The request may have been sent before the failure.
    if (code === 'INTERNAL') expect(text).not.toContain('othing was sent');
  },
);

test('an error in the middle of a response closes the connection', async () => {
  await expect(answerTo(new Error('a secret text'), true).then((answer) => answer.text())).rejects.toThrow();
});
