import * as z from 'zod';
import { errorBody, routeNames, getRouteByName, type RouteName } from '../contract/index.ts';
import { declineReasons } from '../core/base/problem.ts';
import {
  wrapJsonContent,
  buildOpenApiDocument,
  toOpenApiParameters,
  buildOpenApiPaths,
  refusals,
  toOpenApiSchema,
  buildOpenApiTags,
  type JsonObject,
} from '../contract/project/openApi.ts';
import { answerSchemas, operations, type Operation } from './ownOperations.ts';

const proxiedRoutes = routeNames.filter((name) => name !== 'startSignIn' && name !== 'verifySignIn');

const describeBridgeBehaviour = (name: RouteName): { responses: JsonObject; parameters: JsonObject[] } => {
  const { askFirst, askFirstWhen, method, params } = getRouteByName(name);
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
        ? {
            '202': {
              description: 'It waits for the person.',
              ...wrapJsonContent(toOpenApiSchema(answerSchemas.approval, 'input')),
            },
          }
        : {}),
      ...(name === 'createListing' ? { '200': { description: 'The draft that this key made already.' } } : {}),
      ...(method === 'GET' && params === undefined
        ? {}
        : { '422': createRefusalResponse('It cannot be done as it was asked.') }),
      '503': createRefusalResponse('The service cannot be reached, or the person must connect again.'),
      '504': createRefusalResponse('The service did not answer; read before you ask again.'),
    },
  };
};

const createRefusalResponse = (description: string): JsonObject => ({
  description,
  ...wrapJsonContent({ $ref: '#/components/schemas/Error' }),
});

const image = { 'image/*': { schema: { type: 'string', format: 'binary' } } };

const toAnswerContent = (answer: Operation['answer']): JsonObject => {
  if (answer === 'text') return { content: { 'text/plain': { schema: { type: 'string' } } } };
  if (answer === 'markdown')
    return {
      content: {
        'text/markdown': { schema: { type: 'string' } },
        'application/json': { schema: toOpenApiSchema(answerSchemas.anything, 'input') },
      },
    };
  if (answer === 'image') return { content: image };
  if (answer === 'events') return { content: { 'text/event-stream': { schema: { type: 'string' } } } };
  return wrapJsonContent(toOpenApiSchema(answerSchemas[answer], 'input'));
};

const toRequestBody = ({ body, bytes }: Operation): JsonObject => {
  if (!body && !bytes) return {};
  const { content } = body ? wrapJsonContent(toOpenApiSchema(body, 'input')) : { content: {} };
  return { requestBody: { required: true, content: bytes ? { ...content, ...image } : content } };
};

const toOpenApiOperation = (path: string, one: Operation): JsonObject => {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: one.id,
    summary: one.summary,
    description: one.summary,
    tags: ['Companion'],
    security: one.open ? [] : [{ token: [] }],
    parameters: [...params, ...toOpenApiParameters(one.query, 'query'), ...toOpenApiParameters(one.headers, 'header')],
    ...toRequestBody(one),
    responses: {
      [String(one.status ?? 200)]: { description: 'Done.', ...toAnswerContent(one.answer) },
      ...refusals,
      '413': createRefusalResponse('Too large.'),
      '422': createRefusalResponse('It cannot be done as it was asked.'),
    },
  };
};

const buildOwnOperationPaths = (): JsonObject => {
  const paths: Record<string, JsonObject> = {};
  for (const [key, one] of Object.entries(operations)) {
    const [method = '', path = ''] = key.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOpenApiOperation(path, one) };
  }
  return paths;
};

const companionError = errorBody.extend({
  declinedBecause: z.enum(declineReasons).optional(),
  retryAfterS: z.int().optional(),
});

let cachedParts: { paths: JsonObject; tags: JsonObject[] } | null = null;

/** Returns an OpenAPI 3.1 document of the service's routes and the companion's own operations. */
export const createBridgeOpenApi = (url: string, version: string): JsonObject => {
  cachedParts ??= {
    paths: {
      ...buildOpenApiPaths({ routes: proxiedRoutes, extendRoute: describeBridgeBehaviour }),
      ...buildOwnOperationPaths(),
    },
    tags: [...buildOpenApiTags(proxiedRoutes), { name: 'Companion', description: 'What is the companion’s own.' }],
  };
  const about = {
    title: 'Listing Companion',
    description:
      'The listing service as assistants on this machine reach it: what spends money, goes live or cannot be undone waits for the person.',
    token: 'The token that a pairing gave.',
    error: companionError,
  };
  return buildOpenApiDocument({ ...about, url, version }, cachedParts.paths, cachedParts.tags);
};
