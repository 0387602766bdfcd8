import { Router, type Request, type Response } from 'express';
import * as z from 'zod';
import { quotas } from '../../contract/index.ts';
import { isoOf } from '../clock.ts';
import { controlsActions } from '../pages/controlsActions.ts';
import { controlsPage } from '../pages/controlsPage.ts';
import { parseOpen, Refusal } from '../refusal.ts';
import { fault, type Faults } from '../server/faults.ts';
import { readBody } from '../server/readBody.ts';
import { budgetsOf, setSpent } from '../world/budgets.ts';
import { callCounts, journalSince } from '../world/journal.ts';
import { mailsTo } from '../world/outbox.ts';
import { normalEmail } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { placePerson, placing } from './placePerson.ts';
import { placePolicy, placingPolicy } from './placePolicy.ts';
import { replacePhoto, replacing } from './replacePhoto.ts';
import { sale, sell } from './sell.ts';
import { oneKey, purchase, somebody, webSettings } from './webSettings.ts';

type Parts = { world: World; faults: Faults };
type Method = 'get' | 'post' | 'delete';
type Control = { method: Method; path: string; act: (parts: Parts, given: unknown) => unknown };

/** One control: what it is given (the query of a GET, the body of others) and what it does. */
const control = <S extends z.ZodType>(
  method: Method,
  path: string,
  given: S,
  act: (parts: Parts, given: z.output<S>) => unknown,
): Control => ({ method, path, act: (parts, raw) => act(parts, parseOpen(given, raw)) });

const nothing = z.object({});
const advance = z.strictObject({
  advanceMs: z
    .int()
    .min(0)
    .max(10 * 365 * 24 * 3_600_000),
});
const orders = z.strictObject({
  delayMs: z
    .int()
    .min(0)
    .max(24 * 3_600_000)
    .default(0),
  fail: z.string().min(1).nullable().default(null),
});
const spent = z.strictObject({ userId: z.string(), quota: z.enum(quotas), used: z.int().min(0) });
const since = z.object({ since: z.coerce.number().int().min(0).default(0) });

const time = ({ clock }: World) => ({ now: clock.now(), at: isoOf(clock.now()) });

const table: readonly Control[] = [
  control('post', '/people', placing, ({ world }, given) => placePerson(world, given)),
  control('delete', '/people', somebody, ({ world }, given) => webSettings.deleteAccount(world, given)),
  control('post', '/passwords', somebody, ({ world }, given) => webSettings.resetPassword(world, given)),
  control('delete', '/keys', oneKey, ({ world }, given) => webSettings.disconnect(world, given)),
  control('post', '/purchases', purchase, ({ world }, given) => webSettings.buyCredits(world, given)),
  control('get', '/outbox', z.object({ email: z.string().optional() }), ({ world }, { email }) =>
    mailsTo(world, email === undefined ? null : normalEmail(email)),
  ),
  control('get', '/clock', nothing, ({ world }) => time(world)),
  control('post', '/clock', advance, ({ world }, { advanceMs }) => {
    world.clock.advance(advanceMs);
    return time(world);
  }),
  control('get', '/faults', nothing, ({ faults }) => faults.list()),
  control('post', '/faults', fault, ({ faults }, given) => {
    faults.add(given);
    return { faults: faults.list().length };
  }),
  control('delete', '/faults', nothing, ({ faults }) => {
    faults.clear();
    return { faults: 0 };
  }),
  control('get', '/journal', since, ({ world }, given) => journalSince(world, given.since)),
  control('get', '/calls', z.object({ userId: z.string().optional() }), ({ world }, { userId }) =>
    callCounts(world, userId ?? null),
  ),
  control('post', '/photos', replacing, ({ world }, given) => replacePhoto(world, given)),
  control('post', '/sales', sale, ({ world }, given) => sell(world, given)),
  control('post', '/policies', placingPolicy, ({ world }, given) => placePolicy(world, given)),
  control('post', '/budgets', spent, ({ world }, { userId, quota, used }) => {
    setSpent(world, userId, quota, used);
    return budgetsOf(world, userId);
  }),
  control('get', '/fees', nothing, ({ world }) => world.feeOrders),
  control(
    'post',
    '/fees',
    z.strictObject({ extraMinor: z.int().min(0).max(1_000_000) }),
    ({ world }, given) => (world.feeOrders = given),
  ),
  control('get', '/writer', nothing, ({ world }) => world.writerOrders),
  control('post', '/writer', orders, ({ world }, given) => (world.writerOrders = given)),
];

/** What tests and learners steer the service with. Only here, only on loopback, and no part of the interface. */
export const controls = (world: World, faults: Faults): Router => {
  const router = Router();
  router.get('/', (_request, response) => controlsPage(world, response));
  router.use('/page', controlsActions(world));
  for (const { method, path, act } of table)
    router[method](path, async (request: Request, response: Response) => {
      const given = method === 'get' ? request.query : ((await readBody(request)) ?? {});
      response.json(await act({ world, faults }, given));
    });
  router.use(() => {
    throw new Refusal(404, 'There is no such control.');
  });
  return router;
};
