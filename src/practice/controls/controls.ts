import { Router, type Request, type Response } from 'express';
import * as z from 'zod';
import { quotas } from '../../contract/index.ts';
import { formatIsoTime } from '../clock.ts';
import { createControlsFormRouter, sendControlsPage } from './controlsPage.ts';
import { parseOpenBody, Refusal } from '../refusal.ts';
import { faultInput, type FaultList } from '../server/faults.ts';
import { readJsonBody } from '../server/http.ts';
import { listRemainingBudgets, setBudgetUsed } from '../world/budgets.ts';
import { readCallCounts, listEffectsSince } from '../world/journal.ts';
import { listMailsTo } from '../world/messages.ts';
import { normaliseEmailAddress } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { savePersonAndFillShop, personInput, keyInput, purchaseInput, userInput, webSettings } from './people.ts';
import { replaceDisruptions, disruptionsInput, getCurrentDisruptions } from './disruptions.ts';
import {
  addPersonPolicy,
  policyInput,
  replacePhotoBytes,
  photoInput,
  saleInput,
  simulatePurchase,
  expireLiveListing,
  expiryInput,
} from './marketplace.ts';

type ControlContext = { world: World; faults: FaultList };
type Method = 'get' | 'post' | 'delete';
type Control = { method: Method; path: string; act: (parts: ControlContext, given: unknown) => unknown };

const defineControl = <S extends z.ZodType>(
  method: Method,
  path: string,
  given: S,
  act: (parts: ControlContext, given: z.output<S>) => unknown,
): Control => ({ method, path, act: (parts, raw) => act(parts, parseOpenBody(given, raw)) });

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

const getClockTime = ({ clock }: World) => ({ now: clock.now(), at: formatIsoTime(clock.now()) });

const controlTable: readonly Control[] = [
  defineControl('post', '/people', personInput, ({ world }, input) => savePersonAndFillShop(world, input)),
  defineControl('delete', '/people', userInput, ({ world }, input) => webSettings.deleteAccount(world, input)),
  defineControl('post', '/passwords', userInput, ({ world }, input) => webSettings.resetPassword(world, input)),
  defineControl('delete', '/keys', keyInput, ({ world }, input) => webSettings.disconnect(world, input)),
  defineControl('post', '/purchases', purchaseInput, ({ world }, input) => webSettings.buyCredits(world, input)),
  defineControl('get', '/outbox', z.object({ email: z.string().optional() }), ({ world }, { email }) =>
    listMailsTo(world, email === undefined ? null : normaliseEmailAddress(email)),
  ),
  defineControl('get', '/clock', noInput, ({ world }) => getClockTime(world)),
  defineControl('post', '/clock', clockInput, ({ world }, { advanceMs }) => {
    world.clock.advance(advanceMs);
    return getClockTime(world);
  }),
  defineControl('get', '/faults', noInput, ({ faults }) => faults.list()),
  defineControl('post', '/faults', faultInput, ({ faults }, input) => {
    faults.add(input);
    return { faults: faults.list().length };
  }),
  defineControl('delete', '/faults', noInput, ({ faults }) => {
    faults.clear();
    return { faults: 0 };
  }),
  defineControl('get', '/journal', sinceInput, ({ world }, input) => listEffectsSince(world, input.since)),
  defineControl('get', '/calls', z.object({ userId: z.string().optional() }), ({ world }, { userId }) =>
    readCallCounts(world, userId ?? null),
  ),
  defineControl('post', '/photos', photoInput, ({ world }, input) => replacePhotoBytes(world, input)),
  defineControl('post', '/sales', saleInput, ({ world }, input) => simulatePurchase(world, input)),
  defineControl('post', '/policies', policyInput, ({ world }, input) => addPersonPolicy(world, input)),
  defineControl('post', '/budgets', budgetInput, ({ world }, { userId, quota, used }) => {
    setBudgetUsed(world, userId, quota, used);
    return listRemainingBudgets(world, userId);
  }),
  defineControl('get', '/fees', noInput, ({ world }) => world.feeOverrides),
  defineControl(
    'post',
    '/fees',
    z.strictObject({ extraMinor: z.int().min(0).max(1_000_000) }),
    ({ world }, input) => (world.feeOverrides = input),
  ),
  defineControl('post', '/expiries', expiryInput, ({ world }, input) => expireLiveListing(world, input)),
  defineControl('get', '/disruptions', noInput, ({ world }) => getCurrentDisruptions(world)),
  defineControl('post', '/disruptions', disruptionsInput, ({ world }, input) => replaceDisruptions(world, input)),
  defineControl('get', '/writer', noInput, ({ world }) => world.writerOverrides),
  defineControl('post', '/writer', writerInput, ({ world }, input) => (world.writerOverrides = input)),
];

/**
 * Creates the router of the practice controls, which simulate events for tests and learners. The real service has no
 * such routes.
 */
export const createControlsRouter = (world: World, faults: FaultList): Router => {
  const router = Router();
  router.get('/', (_request, response) => sendControlsPage(world, response));
  router.use('/page', createControlsFormRouter(world));
  for (const { method, path, act } of controlTable)
    router[method](path, async (request: Request, response: Response) => {
      const input = method === 'get' ? request.query : ((await readJsonBody(request)) ?? {});
      response.json(await act({ world, faults }, input));
    });
  router.use(() => {
    throw new Refusal(404, 'There is no such control.');
  });
  return router;
};
