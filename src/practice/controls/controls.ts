import { Router, type Request, type Response } from 'express';
import * as z from 'zod';
import { quotas } from '../../contract/index.ts';
import { isoOf } from '../clock.ts';
import { controlsActions, controlsPage } from './controlsPage.ts';
import { parseOpen, Refusal } from '../refusal.ts';
import { fault, type Faults } from '../server/faults.ts';
import { readBody } from '../server/http.ts';
import { budgetsOf, setBudgetUsed } from '../world/budgets.ts';
import { callCounts, effectsSince } from '../world/journal.ts';
import { mailsTo } from '../world/messages.ts';
import { normalizeEmail } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { putPersonWithShop, personInput, keyInput, purchaseInput, userInput, webSettings } from './people.ts';
import { disrupt, disruptionsInput, disruptionsNow } from './disruptions.ts';
import {
  addOwnPolicy,
  policyInput,
  replacePhoto,
  photoInput,
  saleInput,
  sellItem,
  expireListing,
  expiryInput,
} from './marketplace.ts';

type ControlContext = { world: World; faults: Faults };
type Method = 'get' | 'post' | 'delete';
type Control = { method: Method; path: string; act: (parts: ControlContext, given: unknown) => unknown };

/** Defines one control with its input (the query of a GET, otherwise the body) and its effect. */
const control = <S extends z.ZodType>(
  method: Method,
  path: string,
  given: S,
  act: (parts: ControlContext, given: z.output<S>) => unknown,
): Control => ({ method, path, act: (parts, raw) => act(parts, parseOpen(given, raw)) });

const noInput = z.object({});
const clockInput = z.strictObject({
  advanceMs: z
    .int()
    .min(0)
    .max(10 * 365 * 24 * 3_600_000),
});
const writerInput = z.strictObject({
  delayMs: z
    .int()
    .min(0)
    .max(24 * 3_600_000)
    .default(0),
  fail: z.string().min(1).nullable().default(null),
  answersWritten: z.boolean().default(false),
});
const budgetInput = z.strictObject({ userId: z.string(), quota: z.enum(quotas), used: z.int().min(0) });
const sinceInput = z.object({ since: z.coerce.number().int().min(0).default(0) });

const time = ({ clock }: World) => ({ now: clock.now(), at: isoOf(clock.now()) });

const controlTable: readonly Control[] = [
  control('post', '/people', personInput, ({ world }, given) => putPersonWithShop(world, given)),
  control('delete', '/people', userInput, ({ world }, given) => webSettings.deleteAccount(world, given)),
  control('post', '/passwords', userInput, ({ world }, given) => webSettings.resetPassword(world, given)),
  control('delete', '/keys', keyInput, ({ world }, given) => webSettings.disconnect(world, given)),
  control('post', '/purchases', purchaseInput, ({ world }, given) => webSettings.buyCredits(world, given)),
  control('get', '/outbox', z.object({ email: z.string().optional() }), ({ world }, { email }) =>
    mailsTo(world, email === undefined ? null : normalizeEmail(email)),
  ),
  control('get', '/clock', noInput, ({ world }) => time(world)),
  control('post', '/clock', clockInput, ({ world }, { advanceMs }) => {
    world.clock.advance(advanceMs);
    return time(world);
  }),
  control('get', '/faults', noInput, ({ faults }) => faults.list()),
  control('post', '/faults', fault, ({ faults }, given) => {
    faults.add(given);
    return { faults: faults.list().length };
  }),
  control('delete', '/faults', noInput, ({ faults }) => {
    faults.clear();
    return { faults: 0 };
  }),
  control('get', '/journal', sinceInput, ({ world }, given) => effectsSince(world, given.since)),
  control('get', '/calls', z.object({ userId: z.string().optional() }), ({ world }, { userId }) =>
    callCounts(world, userId ?? null),
  ),
  control('post', '/photos', photoInput, ({ world }, given) => replacePhoto(world, given)),
  control('post', '/sales', saleInput, ({ world }, given) => sellItem(world, given)),
  control('post', '/policies', policyInput, ({ world }, given) => addOwnPolicy(world, given)),
  control('post', '/budgets', budgetInput, ({ world }, { userId, quota, used }) => {
    setBudgetUsed(world, userId, quota, used);
    return budgetsOf(world, userId);
  }),
  control('get', '/fees', noInput, ({ world }) => world.feeOverrides),
  control(
    'post',
    '/fees',
    z.strictObject({ extraMinor: z.int().min(0).max(1_000_000) }),
    ({ world }, given) => (world.feeOverrides = given),
  ),
  control('post', '/expiries', expiryInput, ({ world }, given) => expireListing(world, given)),
  control('get', '/disruptions', noInput, ({ world }) => disruptionsNow(world)),
  control('post', '/disruptions', disruptionsInput, ({ world }, given) => disrupt(world, given)),
  control('get', '/writer', noInput, ({ world }) => world.writerOverrides),
  control('post', '/writer', writerInput, ({ world }, given) => (world.writerOverrides = given)),
];

/**
 * Creates the router of the practice controls, for tests and learners. They are available on loopback only and are not
 * part of the interface.
 */
export const controls = (world: World, faults: Faults): Router => {
  const router = Router();
  router.get('/', (_request, response) => controlsPage(world, response));
  router.use('/page', controlsActions(world));
  for (const { method, path, act } of controlTable)
    router[method](path, async (request: Request, response: Response) => {
      const given = method === 'get' ? request.query : ((await readBody(request)) ?? {});
      response.json(await act({ world, faults }, given));
    });
  router.use(() => {
    throw new Refusal(404, 'There is no such control.');
  });
  return router;
};
