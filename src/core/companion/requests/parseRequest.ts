import {
  getFormCode,
  getRouteByName,
  isRouteName,
  parseRouteInput,
  type ParsedInput,
  type RawInput,
  type RouteName,
} from '../../../contract/index.ts';
import { Problem, createProblem } from '../../base/problem.ts';
import type { PerformRequest } from '../../base/request.ts';
import { getRoutePolicy } from './routePolicies.ts';

export type ParseRequest = (request: Pick<PerformRequest, 'route' | 'input'>) => ParsedInput<RouteName>;

/** Creates the parser. It caches parsed reads, because the same object is often sent again. */
export const createRequestParser = (): ParseRequest => {
  const parsedReads = new WeakMap<RawInput, { route: RouteName; parsed: ParsedInput<RouteName> }>();
  const parseOnce: ParseRequest = ({ route, input }) => {
    const known = parsedReads.get(input);
    if (known?.route === route) return known.parsed;
    const parsed = parseRouteInput(route, input);
    if (!parsed.ok) {
      const { field, message } = parsed.problem;
      throw new Problem(getFormCode(route, field), message, { field });
    }
    if (getRouteByName(route).method === 'GET') parsedReads.set(input, { route, parsed: parsed.input });
    return parsed.input;
  };
  return (request) => {
    if (!isRouteName(request.route)) throw createProblem('UNKNOWN_ROUTE');
    if (getRoutePolicy(request.route).isCoreOnly) throw createProblem('CONNECTION_IS_THE_PERSONS');
    const input = parseOnce(request);
    refuseUnknownFields(request.route, input.body);
    return input;
  };
};

/** A prompt could not show an unknown field, so routes with a list of fields refuse it. */
const refuseUnknownFields = (route: RouteName, body: unknown): void => {
  const { bodyFields } = getRouteByName(route);
  if (bodyFields === undefined || body === null || typeof body !== 'object') return;
  const field = Object.keys(body).find((name) => !bodyFields.includes(name));
  if (field !== undefined)
    throw createProblem('INVALID_REQUEST.unknownField', { field, values: { field: field.slice(0, 80) } });
};
