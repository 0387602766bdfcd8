import * as z from 'zod';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { PersonOptions } from '../practice.ts';
import { settled } from '../testClock.ts';
import type { World } from '../world.ts';
import type { Asker, Outcome } from '../../../src/core/base/request.ts';

const person: Asker = { kind: 'person' };

/** The key that the companion is connected with, for what somebody does at the service past the companion. */
export const serviceKey = async (world: World): Promise<string> =>
  (await world.secrets.get('agent-key practice')) ?? '';

/** A listing that was written at the service and waits for review; the companion never saw it. */
export const writtenListing = async (world: World, body: Record<string, unknown> = {}): Promise<string> =>
  world.practice.written(await serviceKey(world), body);

/** Makes a request of somebody. */
export const performAs = <N extends RouteName>(
  world: World,
  by: Asker,
  route: N,
  input: InputOf<N>,
): Promise<Outcome> => world.companion().perform({ by, route, input });

/** Asks for something that needs a yes; answers what the person is shown. */
export const askFor = async <N extends RouteName>(
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
 * The next request of that route waits at the service, after so many that do not. `arrived` resolves once it waits there,
 * and `go` lets it go on, to the rest of `fault`.
 */
export const held = async (
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
    arrived: () => settled(waits, `${method} ${path} at the service`),
    go: () => practice.advance(600_001),
  };
};

const mails = z.array(z.looseObject({ code: z.string().optional() }));

/** The person connects another account of theirs, by the code of a mail. */
export const connectAs = async (world: World, email: string, person: PersonOptions = {}): Promise<void> => {
  await world.practice.person({ email, plan: 'Starter', connected: true, site: 'MKT_US', ...person });
  await signInAs(world, email);
};

/** The person connects an account that is there, as it is. */
export const signInAs = async (world: World, email: string): Promise<void> => {
  const { practice } = world;
  const { challengeId } = await world.companion().connect.start(email);
  const [mail] = mails.parse(await practice.control('GET', `/outbox?email=${encodeURIComponent(email)}`));
  await world.companion().connect.verify({ challengeId, email, code: mail?.code ?? '' });
};

const calls = z.record(z.string(), z.looseObject({ calls: z.int() }));

/** How often the service was sent a request of that route. */
export const sentTo = async (world: World, route: RouteName): Promise<number> =>
  calls.parse(await world.practice.control('GET', '/calls'))[route]?.calls ?? 0;

/** The service's own list of routes says something else from now on; `records` are those that it changes. */
export const changeLiveRoutes = async (world: World, records: Record<string, unknown>[]): Promise<void> => {
  const before = await sentTo(world, 'readRoutes');
  const marked = { method: 'GET', path: '/channels', access: 'website' };
  await world.practice.fault({ method: 'GET', path: '/agent/routes', body: { routes: [...records, marked] } });
  world.companion().wake();
  await settled(async () => (await sentTo(world, 'readRoutes')) > before, 'the list');
  // The list counts once a route that it marks is refused.
  await settled(
    () =>
      world.perform('listChannels', {}).then(
        () => false,
        () => true,
      ),
    'the new list',
  );
};
