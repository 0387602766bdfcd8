import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { listParamNames, refusedRoutes, routeNames, getRouteByName } from '../../src/contract/index.ts';

const spec = fileURLToPath(new URL('../../../shared/spec/', import.meta.url));
const hasSpec = existsSync(spec);
if (!hasSpec) console.log('The interface is not beside the project: the table is not held against it in this run.');

const row = z.object({
  group: z.string(),
  method: z.string(),
  path: z.string(),
  access: z.string(),
  askFirst: z.boolean(),
  askFirstWhen: z.array(z.string()),
  reversible: z.boolean(),
  cost: z.string().nullable(),
  quota: z.string().nullable(),
});
const refusedRow = z.object({ method: z.string(), path: z.string(), access: z.string() });
const readSpec = (file: string): unknown => JSON.parse(readFileSync(`${spec}${file}`, 'utf8'));

describe.skipIf(!hasSpec)('the route table compared with the interface document', () => {
  test('the routes have the same order and properties as in the interface document', () => {
    const ours = routeNames.map((name) => {
      const { group, method, path, access, askFirst, askFirstWhen, reversible, cost, quota } = getRouteByName(name);
      return {
        group,
        method,
        path,
        access,
        askFirst: askFirst ?? false,
        askFirstWhen: [...(askFirstWhen ?? [])],
        reversible: reversible ?? true,
        cost: cost ?? null,
        quota: quota ?? null,
      };
    });
    expect(ours).toEqual(z.array(row).parse(readSpec('routes.json')));
    expect(ours).toHaveLength(80);
  });

  test('exactly the routes that the interface forbids to assistants are refused', () => {
    expect(refusedRoutes).toEqual(z.array(refusedRow).parse(readSpec('routes-not-for-agents.json')));
  });
});

describe('the route table', () => {
  test('23 routes always need approval, and 3 need it depending on the body', () => {
    const asking = routeNames.filter((name) => getRouteByName(name).askFirst);
    const sometimes = routeNames.filter((name) => (getRouteByName(name).askFirstWhen ?? []).length > 0);
    expect(asking).toHaveLength(23);
    expect(sometimes).toEqual(['updateUser', 'updateListing', 'quoteFees']);
  });

  test.each(routeNames)('%s declares exactly the parameters in its path', (name) => {
    const route = getRouteByName(name);
    expect(Object.keys(route.params?.shape ?? {})).toEqual(listParamNames(route.path));
  });
});
