import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listParamNames, buildRoutePath, routeNames, getRouteByName } from '../../../src/contract/index.ts';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
let key: string;
beforeAll(async () => {
  practice = await startTestPractice();
  key = (await practice.person()).agentKey;
});
afterAll(() => practice.close());

const buildConcretePath = (path: string): string =>
  buildRoutePath(path, Object.fromEntries(listParamNames(path).map((name) => [name, 'none'])));

test('a call without input never causes a server error', async () => {
  for (const name of routeNames.filter((one) => one !== 'revokeCurrentKey')) {
    const { method, path } = getRouteByName(name);
    const answer = await practice.call(key, method, buildConcretePath(path), method === 'GET' ? undefined : {});
    expect(answer.status, name).toBeLessThan(500);
  }
  expect(practice.reports).toEqual([]);
});

describe('malformed HTTP requests', () => {
  test('an unknown route is answered with 404, and a wrong method with 405', async () => {
    expect(await practice.call(key, 'GET', '/nowhere')).toMatchObject({
      status: 404,
      body: { error: expect.any(String) as string },
    });
    const answer = await practice.call(key, 'PATCH', '/listings');
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('GET, POST');
    expect((await practice.call(key, 'GET', '/listings/%2e%2e')).status).toBe(404);
    expect((await practice.call(key, 'GET', '/listings/a%2Fb')).status).toBe(404);
    expect((await practice.call(key, 'GET', '/listings/%zz')).status).toBe(404);
    expect((await practice.call(key, 'GET', '/photos/%zz')).status).toBe(400);
    expect((await practice.call(key, 'GET', '/photos/..%2Fpractice.sqlite')).status).toBe(404);
  });

  const postRawBody = async (body: string, contentType: string): Promise<number> =>
    (
      await fetch(`${practice.url}/listings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': contentType },
        body,
      })
    ).status;

  test.each([
    ['unfinished JSON', 400, '{"quantity":', 'application/json'],
    ['null', 400, 'null', 'application/json'],
    ['an array', 400, '[]', 'application/json'],
    ['a string', 400, '"text"', 'application/json'],
    ['a web form', 415, 'quantity=1', 'application/x-www-form-urlencoded'],
    ['plain text', 415, '{}', 'text/plain'],
    ['valid JSON', 201, '{}', 'application/json; charset=utf-8'],
    ['too large', 413, `{"additionalContext":"${'x'.repeat(2 * 1024 * 1024)}"}`, 'application/json'],
  ])('a request body that is %s is answered with %i', async (_what, status, body, contentType) => {
    expect(await postRawBody(body, contentType)).toBe(status);
  });

  test('a request with a malformed body and no key gets 401', async () => {
    const answer = await fetch(`${practice.url}/listings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(answer.status).toBe(401);
  });

  const getStatusForHost = (host: string, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port: new URL(practice.url).port, path, headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });

  test('requests for a foreign host name or from a web page are refused', async () => {
    const { port } = new URL(practice.url);
    expect(await getStatusForHost('evil.example', '/agent')).toBe(421);
    expect(await getStatusForHost(`evil.example:${port}`, '/practice/journal')).toBe(421);
    expect(await getStatusForHost('127.0.0.1:1', '/agent')).toBe(421);
    expect(await getStatusForHost(`localhost:${port}`, '/agent')).toBe(200);
    for (const path of ['/agent', '/practice/journal', '/terms'])
      for (const origin of ['https://evil.example', 'null', practice.url])
        expect((await practice.call(null, 'GET', path, undefined, { origin })).status).toBe(403);
  });
});
