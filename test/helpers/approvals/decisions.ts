import * as z from 'zod';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { PersonOptions } from '../practice.ts';
import { waitUntil } from '../testClock.ts';
import type { World } from '../world.ts';
import type { Asker, Outcome } from '../../../src/core/base/request.ts';

const person: Asker = { kind: 'person' };

/** Returns the companion's key, for changes made at the service without the companion. */
export const readServiceKey = async (world: World): Promise<string> =>
  (await world.secrets.get('agent-key practice')) ?? '';

/** Creates a listing in review at the service; the companion has never seen it. */
export const createWrittenListing = async (world: World, body: Record<string, unknown> = {}): Promise<string> =>
  world.practice.written(await readServiceKey(world), body);

/** Sends a request as this asker. */
export const performAs = <N extends RouteName>(
  world: World,
  by: Asker,
  route: N,
  input: InputOf<N>,
): Promise<Outcome> => world.companion().perform({ by, route, input });

/** Sends a request that needs approval and returns its prompt. */
export const requestPrompt = async <N extends RouteName>(
  world: World,
  route: N,
  input: InputOf<N>,
  by: Asker = person,
): Promise<ApprovalView> => {
  const asked = await performAs(world, by, route, input);
  if (asked.state !== 'pending') throw new Error(`${route} did not ask.`);
  return world.companion().approvals.readView(asked.approvalId);
};

const faults = z.array(z.unknown());

/**
 * Holds back one request to this route at the service, after letting some pass. `arrived` resolves once the request
 * arrives, and `go` lets it continue with the rest of `fault`.
 */
export const holdRequest = async (
  world: World,
  method: string,
  path: string,
  after = 0,
  fault: Record<string, unknown> = {},
) => {
  const { practice } = world;
  if (after > 0) await practice.fault({ method, path, times: after, delayMs: 0 });
  await practice.fault({ method, path, delayMs: 600_000, ...fault });
  const waits = async (): Promise<boolean> => faults.parse(await practice.control('GET', '/faults')).length === 0;
  return {
    arrived: () => waitUntil(waits, `${method} ${path} at the service`),
    go: () => practice.advance(600_001),
  };
};

const mails = z.array(z.looseObject({ code: z.string().optional() }));

/** Connects another account of the person with an e-mailed code. */
export const connectAs = async (world: World, email: string, person: PersonOptions = {}): Promise<void> => {
  await world.practice.person({ email, plan: 'Starter', connected: true, site: 'MKT_US', ...person });
  await signInAs(world, email);
};

/** Connects an existing account of the person without changing it. */
export const signInAs = async (world: World, email: string): Promise<void> => {
  const { practice } = world;
  const { challengeId } = await world.companion().connect.start(email);
  const [mail] = mails.parse(await practice.control('GET', `/outbox?email=${encodeURIComponent(email)}`));
  await world.companion().connect.verify({ challengeId, email, code: mail?.code ?? '' });
};

const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));

/** Returns how often the service has received a request to this route. */
export const countRequests = async (world: World, route: RouteName): Promise<number> =>
  calls.parse(await world.practice.control('GET', '/calls'))[route]?.calls ?? 0;

/** Changes the service's list of routes from now on; `records` are the changed routes. */
export const changeLiveRoutes = async (world: World, records: Record<string, unknown>[]): Promise<void> => {
  const before = await countRequests(world, 'readRoutes');
  const marked = { method: 'GET', path: '/channels', access: 'website' };
  await world.practice.fault({ method: 'GET', path: '/agent/routes', body: { routes: [...records, marked] } });
  world.companion().wake();
  await waitUntil(async () => (await countRequests(world, 'readRoutes')) > before, 'the list');
  // The companion reads the list again after a route in the list was refused.
  await waitUntil(
    () =>
      world.perform('listChannels', {}).then(
        () => false,
        () => true,
      ),
    'the new list',
  );
};
