import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  matchRouteByPath,
  operationCodes,
  listParamNames,
  buildRoutePath,
  publishRefusals,
  refusedRoutes,
  routeNames,
  getRouteByName,
} from '../../../src/contract/index.ts';
import { startTestPractice, type PracticeAnswer, type TestPractice } from '../../helpers/practice.ts';
import { badByRule, goodInputs, sendable, type Scene } from '../../helpers/practice/goodInputs.ts';

let practice: TestPractice;
let scene: Scene;
let bob: string;
beforeAll(async () => {
  practice = await startTestPractice();
  scene = { practice, ann: await practice.person({ plan: 'Scale', connected: true }) };
  bob = (await practice.person({ plan: 'Scale', connected: true })).agentKey;
});
afterAll(async () => {
  expect(practice.reports).toEqual([]);
  await practice.close();
});

const sentence = { error: expect.any(String) as string };
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Path parameters that identify a resource of one person. */
const owned = ['userId', 'listingId', 'notifId', 'templateId', 'connectionId'];

type Sent = z.infer<typeof sendable>;

const send = (key: string | null, method: string, path: string, input: Sent): Promise<PracticeAnswer> =>
  practice.call(key, method, buildRoutePath(path, input.params, input.query), input.body, input.headers);

const wrongValues = [{ no: 1 }, [7], -1, '', 'x'.repeat(600_000), '!'];
const wrongTexts = ['', '!', '0'];

/** Returns one invalid value for each field of the schema. Fields that accept any value are omitted. */
const listWrongFields = (schema: z.ZodType, values: readonly unknown[]): Record<string, unknown>[] => {
  const { properties = {} } = z
    .looseObject({ properties: z.record(z.string(), z.unknown()).optional() })
    .parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return Object.keys(properties).flatMap((field) => {
    const wrong = values.find((value) => {
      const { error } = schema.safeParse({ [field]: value });
      return error?.issues.some(({ path }) => path[0] === field) ?? false;
    });
    return wrong === undefined ? [] : [{ [field]: wrong }];
  });
};

/** Returns inputs that are valid except for one field, parameter or header. */
const listBadInputs = (name: (typeof routeNames)[number], good: Sent): Sent[] => {
  const { path, params, query, headers, body } = getRouteByName(name);
  const given = z
    .looseObject({})
    .catch({})
    .parse(good.body ?? {});
  return [
    ...(params
      ? listParamNames(path).map((one) => ({ ...good, params: { ...good.params, [one]: 'x'.repeat(201) } }))
      : []),
    ...(query
      ? listWrongFields(query, wrongTexts).map((wrong) => ({ ...good, query: { ...good.query, ...wrong } }))
      : []),
    ...(headers && 'idempotency-key' in headers.shape
      ? [{ ...good, headers: { 'idempotency-key': 'has space' } }]
      : []),
    ...(body ? [[], 'text', 7].map((wrong) => ({ ...good, body: wrong })) : []),
    ...(badByRule[name] ?? []).map((bad) => ({ ...good, ...bad })),
    ...(body ? listWrongFields(body, wrongValues).map((wrong) => ({ ...good, body: { ...given, ...wrong } })) : []),
  ];
};

describe.each(routeNames)('the route %s', (name) => {
  const { method, path, access, answer, status = 200 } = getRouteByName(name);
  let good: Sent;
  beforeAll(async () => {
    good = sendable.parse(await goodInputs[name](scene));
  });

  if (access === 'agent')
    test('a call without a key gets 401, and an unknown key gets 403', async () => {
      const without = await send(null, method, path, good);
      expect(without).toMatchObject({ status: 401, body: sentence, headers: { 'www-authenticate': 'Bearer' } });
      const dead = await send('key_000000000000.dead', method, path, good);
      expect(dead.status).toBe(403);
      expect(dead.body).toEqual({ message: 'Forbidden' });
    });

  const isOwned = listParamNames(path).some((one) => owned.includes(one)) || name === 'requestUploads';
  if (isOwned)
    test('a call for a resource of another person is refused with an error message', async () => {
      const answered = await send(bob, method, path, good);
      expect([403, 404]).toContain(answered.status);
      expect(answered.body).toMatchObject(sentence);
      expect(answered.body).not.toHaveProperty('message');
    });

  test('an invalid input is refused with 400 and an error message', async () => {
    for (const bad of listBadInputs(name, good)) {
      const answered = await send(good.key ?? scene.ann.agentKey, method, path, bad);
      expect(answered, JSON.stringify(bad).slice(0, 300)).toMatchObject({ status: 400, body: sentence });
    }
  });

  test('a wrong method is refused with 405 and the allowed methods', async () => {
    const concrete = buildRoutePath(path, good.params);
    const other = methods.find((one) => matchRouteByPath(one, concrete).kind === 'method');
    const answered = await practice.call(scene.ann.agentKey, other ?? '', concrete);
    expect(answered).toMatchObject({ status: 405, body: sentence });
    const allowed = (answered.headers['allow'] ?? '').split(', ');
    expect(allowed).toContain(method);
    expect(allowed).not.toContain(other);
  });

  // Runs last, because some calls delete the resource that the other tests use.
  test('a valid call gets an answer that matches the contract', async () => {
    const key = access === 'agent' ? (good.key ?? scene.ann.agentKey) : null;
    const answered = await send(key, method, path, good);
    expect(answered.body).not.toHaveProperty('error');
    expect(answered.status).toBe(status);
    answer.parse(answered.body);
  });
});

describe('routes that are not for assistants', () => {
  const cases = refusedRoutes.flatMap(({ method, path }) =>
    (method === 'ANY' ? methods : [method]).map((one) => [one, path.replace('+', '')] as const),
  );
  test.each(cases)('%s %s is refused with 403', async (method, path) => {
    const params = Object.fromEntries(listParamNames(path).map((one) => [one, 'some']));
    const answered = await practice.call(scene.ann.agentKey, method, buildRoutePath(path, params));
    expect(answered.status).toBe(403);
    expect(answered.body).toEqual({ message: 'Forbidden' });
    expect((await practice.call(null, method, buildRoutePath(path, params))).status).toBe(401);
  });
});

test('the route records list every publish refusal, each with its own advice', async () => {
  const { routes } = z
    .looseObject({
      routes: z.array(
        z.looseObject({
          method: z.string(),
          path: z.string(),
          errors: z.array(z.object({ code: z.string(), meaning: z.string(), whatToDo: z.string() })),
        }),
      ),
    })
    .parse((await practice.call(null, 'GET', '/agent/routes')).body);
  const errorsOf = (path: string) => routes.find((route) => route.path === path)?.errors ?? [];
  const publish = errorsOf('/market/publish/{listingId}');
  expect(publish.map(({ code }) => code)).toEqual([...publishRefusals]);
  expect(errorsOf('/listings/{listingId}/channels/publish')).toEqual(publish);
  for (const { path, errors } of routes) {
    const own = errors.map(({ code, meaning, whatToDo }) => `${code}: ${meaning}\n${whatToDo}`);
    for (const field of ['meaning', 'whatToDo'] as const) {
      const texts = new Set(errors.map((error) => error[field]));
      if (path.includes('publish')) expect(texts.size, own.join('\n')).toBe(errors.length);
    }
    expect(own.join('\n')).not.toContain('The sentence in `error`');
  }
});

test('error codes are declared only for existing routes', () => {
  expect(routeNames).toEqual(expect.arrayContaining(Object.keys(operationCodes)));
});

test('every route with an input has an example of an invalid input', () => {
  const none = routeNames.filter((name) => listBadInputs(name, {}).length === 0);
  const taking = none.filter(
    (name) => listParamNames(getRouteByName(name).path).length > 0 || getRouteByName(name).query,
  );
  expect(taking).toEqual([]);
  expect(none.filter((name) => getRouteByName(name).body)).toEqual([]);
});
