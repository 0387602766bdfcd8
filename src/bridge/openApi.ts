import * as z from 'zod';
import { errorBody, routeNames, routeOf, type RouteName } from '../contract/index.ts';
import { declineReasons } from '../core/base/problem.ts';
import {
  jsonOf,
  openApiOf,
  parametersOf,
  pathsOf,
  refusals,
  schemaOf,
  tagsOf,
  type Json,
} from '../contract/project/openApi.ts';
import { answerSchemas, operations, type Operation } from './ownOperations.ts';

const proxied = routeNames.filter((name) => name !== 'startSignIn' && name !== 'verifySignIn');

/** Returns what the companion adds to a route of the service: waiting for the person, and an unreachable service. */
const extras = (name: RouteName): { responses: Json; parameters: Json[] } => {
  const { askFirst, askFirstWhen, method, params } = routeOf(name);
  const asks = askFirst === true || (askFirstWhen?.length ?? 0) > 0 || name === 'generateListing';
  const wait = {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: 'wait=N: how many seconds to wait for the person, at most 45.',
    schema: { type: 'string' },
  };
  const reason = {
    name: 'Companion-Reason',
    in: 'header',
    required: false,
    description: 'Why you ask, percent-encoded; shown to the person as your words.',
    schema: { type: 'string', maxLength: 1_500 },
  };
  return {
    parameters: asks ? [wait, reason] : [],
    responses: {
      ...(asks
        ? { '202': { description: 'It waits for the person.', ...jsonOf(schemaOf(answerSchemas.approval, 'input')) } }
        : {}),
      ...(name === 'createListing' ? { '200': { description: 'The draft that this key made already.' } } : {}),
      ...(method === 'GET' && params === undefined ? {} : { '422': refusal('It cannot be done as it was asked.') }),
      '503': refusal('The service cannot be reached, or the person must connect again.'),
      '504': refusal('The service did not answer; read before you ask again.'),
    },
  };
};

const refusal = (description: string): Json => ({
  description,
  ...jsonOf({ $ref: '#/components/schemas/Error' }),
});

const image = { 'image/*': { schema: { type: 'string', format: 'binary' } } };

const answerContent = (answer: Operation['answer']): Json => {
  if (answer === 'text') return { content: { 'text/plain': { schema: { type: 'string' } } } };
  if (answer === 'markdown')
    return {
      content: {
        'text/markdown': { schema: { type: 'string' } },
        'application/json': { schema: schemaOf(answerSchemas.anything, 'input') },
      },
    };
  if (answer === 'image') return { content: image };
  if (answer === 'events') return { content: { 'text/event-stream': { schema: { type: 'string' } } } };
  return jsonOf(schemaOf(answerSchemas[answer], 'input'));
};

const requestBody = ({ body, bytes }: Operation): Json => {
  if (!body && !bytes) return {};
  const { content } = body ? jsonOf(schemaOf(body, 'input')) : { content: {} };
  return { requestBody: { required: true, content: bytes ? { ...content, ...image } : content } };
};

const described = (path: string, one: Operation): Json => {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const query = (one.query ?? []).map((name) => ({
    name,
    in: 'query',
    required: false,
    description: 'How many seconds to wait, at most 45.',
    schema: { type: 'integer', minimum: 0, maximum: 45 },
  }));
  return {
    operationId: one.id,
    summary: one.summary,
    description: one.summary,
    tags: ['Companion'],
    security: one.open ? [] : [{ token: [] }],
    parameters: [...params, ...query, ...parametersOf(one.headers, 'header')],
    ...requestBody(one),
    responses: {
      [String(one.status ?? 200)]: { description: 'Done.', ...answerContent(one.answer) },
      ...refusals,
      '413': refusal('Too large.'),
      '422': refusal('It cannot be done as it was asked.'),
    },
  };
};

const operationPaths = (): Json => {
  const paths: Record<string, Json> = {};
  for (const [key, one] of Object.entries(operations)) {
    const [method = '', path = ''] = key.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: described(path, one) };
  }
  return paths;
};

/**
 * An error of the companion. With PERSON_DECLINED, it contains the reason and how long the decline remains in effect.
 */
const companionError = errorBody.extend({
  declinedBecause: z.enum(declineReasons).optional(),
  retryAfterS: z.int().optional(),
});

let made: { paths: Json; tags: Json[] } | null = null;

/**
 * Returns an OpenAPI 3.1 document of everything that the bridge serves: the service's routes, from the contract, and
 * the companion's own operations.
 */
export const bridgeOpenApi = (url: string, version: string): Json => {
  made ??= {
    paths: { ...pathsOf({ routes: proxied, more: extras }), ...operationPaths() },
    tags: [...tagsOf(proxied), { name: 'Companion', description: 'What is the companion’s own.' }],
  };
  const about = {
    title: 'Listing Companion',
    description:
      'The listing service as assistants on this machine reach it: what spends money, goes live or cannot be undone waits for the person.',
    token: 'The token that a pairing gave.',
    error: companionError,
  };
  return openApiOf({ ...about, url, version }, made.paths, made.tags);
};
