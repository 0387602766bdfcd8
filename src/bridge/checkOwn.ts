import { fitterOf } from '../contract/index.ts';
import { Problem } from '../core/base/problem.ts';
import { publicOperationKeys, operationKeys } from './ownOperations.ts';

const patternOf = (key: string) => {
  const [method = '', path = ''] = key.split(' ');
  return { method, fit: fitterOf(path) };
};
// MCP answers these two itself, in the words of each of its revisions.
const knownOperations = [...operationKeys, 'GET /mcp', 'DELETE /mcp'].map(patternOf);
const publicOperations = publicOperationKeys.map(patternOf);

/** Whether anybody may make this call, without a token. */
export const needsNoToken = (method: string, path: string): boolean =>
  publicOperations.some((one) => one.method === method && one.fit(path) !== null);

/** Refuses what the companion's own table does not have, before anything looks at it. Throws; `allow` is told the right methods. */
export const checkOperation = (method: string, path: string, allow: (methods: string[]) => void): void => {
  const fits = knownOperations.filter(({ fit }) => fit(path) !== null);
  if (fits.length === 0) throw new Problem('UNKNOWN_ROUTE', 'The companion has no such path. See /companion/guide.');
  if (fits.some((one) => one.method === method)) return;
  const methods = fits.map((one) => one.method);
  allow(methods);
  throw new Problem('METHOD_NOT_ALLOWED', `This path takes ${methods.join(' and ')}.`);
};
