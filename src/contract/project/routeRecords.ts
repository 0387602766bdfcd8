import { refusedRoutes, routeNames, routeOf, type RouteName } from '../index.ts';
import { errorsOf } from './routeErrors.ts';

const recordOf = (name: RouteName) => {
  const route = routeOf(name);
  const asks = route.askFirst === true || (route.askFirstWhen?.length ?? 0) > 0;
  return {
    method: route.method,
    path: route.path,
    summary: route.summary,
    whenToUse: asks ? `${route.summary} Only after the person said yes to exactly this.` : route.summary,
    whenNotToUse: route.quota ? 'Never in a loop: it draws on a daily budget.' : '',
    access: route.access,
    askFirst: route.askFirst ?? false,
    askFirstWhen: [...(route.askFirstWhen ?? [])],
    reversible: route.reversible ?? true,
    ...(route.cost ? { cost: route.cost } : {}),
    ...(route.quota ? { quota: route.quota } : {}),
    errors: errorsOf(name),
    headers: headersOf(name),
  };
};

const headersOf = (name: RouteName) => [
  ...(routeOf(name).access === 'agent'
    ? [{ name: 'Authorization', required: true, description: 'Bearer and the key of the assistant.' }]
    : []),
  ...(name === 'createListing'
    ? [
        {
          name: 'Idempotency-Key',
          required: false,
          description: '1 to 64 printable ASCII characters without spaces; the same key and body make one listing.',
        },
      ]
    : []),
];

const allowed = routeNames.map(recordOf);
const refused = refusedRoutes.map(({ method, path, access }) => ({
  method,
  path,
  summary: 'Not for assistants.',
  whenToUse: '',
  whenNotToUse: 'Never.',
  access,
  askFirst: false,
  askFirstWhen: [],
  reversible: true,
  errors: [],
  headers: [],
}));

/** Every route of the interface, those for assistants first. */
export const routeRecords = () => [...allowed, ...refused];
