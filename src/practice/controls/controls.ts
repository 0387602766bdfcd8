import { Router, type Request, type Response } from 'express';
import * as z from 'zod';
import { quotas } from '../../contract/index.ts';
import { isoOf } from '../clock.ts';
import { controlsPage } from '../pages/controlsPage.ts';
import { Refusal } from '../refusal.ts';
import { fault, type Faults } from '../server/faults.ts';
import { readBody } from '../server/readBody.ts';
import { budgetsOf, setSpent } from '../world/budgets.ts';
import { callCounts, journalSince } from '../world/journal.ts';
import { mailsTo } from '../world/outbox.ts';
import { normalEmail } from '../world/people.ts';
import type { World } from '../world/world.ts';
import { placePerson, placing } from './placePerson.ts';
import { placePolicy, placingPolicy } from './placePolicy.ts';
import { sale, sell } from './sell.ts';

const advance = z.strictObject({ advanceMs: z.int().min(0).max(10 * 365 * 24 * 3_600_000) });
const orders = z.strictObject({
  delayMs: z.int().min(0).max(24 * 3_600_000).optional(),
  fail: z.string().min(1).nullable().optional(),
});
const spent = z.strictObject({ userId: z.string(), quota: z.enum(quotas), used: z.int().min(0) });
const since = z.object({ since: z.coerce.number().int().min(0).default(0) });
const ofEmail = z.object({ email: z.string().optional() });
const ofPerson = z.object({ userId: z.string().optional() });

const checked = <S extends z.ZodType>(schema: S, given: unknown): z.output<S> => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal(400, `${issue?.path.map(String).join('.') || 'body'}: ${issue?.message ?? 'is not valid.'}`);
};

/** What tests and learners steer the service with. Only here, only on loopback, and no part of the interface. */
export const controls = (world: World, faults: Faults): Router => {
  const router = Router();
  const body = async <S extends z.ZodType>(schema: S, request: Request, response: Response): Promise<z.output<S>> =>
    checked(schema, (await readBody(request, response)) ?? {});
  const time = () => ({ now: world.clock.now(), at: isoOf(world.clock.now()) });

  router.get('/', (_request, response) => controlsPage(world, response));
  router.post('/people', async (request, response) => {
    response.json(placePerson(world, await body(placing, request, response)));
  });
  router.get('/outbox', (request, response) => {
    const { email } = checked(ofEmail, request.query);
    response.json(mailsTo(world, email === undefined ? null : normalEmail(email)));
  });
  router.get('/clock', (_request, response) => void response.json(time()));
  router.post('/clock', async (request, response) => {
    world.clock.advance((await body(advance, request, response)).advanceMs);
    response.json(time());
  });
  router.get('/faults', (_request, response) => void response.json(faults.list()));
  router.post('/faults', async (request, response) => {
    faults.add(await body(fault, request, response));
    response.json({ faults: faults.list().length });
  });
  router.delete('/faults', (_request, response) => {
    faults.clear();
    response.json({ faults: 0 });
  });
  router.get('/journal', (request, response) => {
    response.json(journalSince(world, checked(since, request.query).since));
  });
  router.get('/calls', (request, response) => {
    response.json(callCounts(world, checked(ofPerson, request.query).userId ?? null));
  });
  router.post('/sales', async (request, response) => {
    response.json(sell(world, await body(sale, request, response)));
  });
  router.post('/budgets', async (request, response) => {
    const { userId, quota, used } = await body(spent, request, response);
    setSpent(world, userId, quota, used);
    response.json(budgetsOf(world, userId));
  });
  router.post('/policies', async (request, response) => {
    response.json(placePolicy(world, await body(placingPolicy, request, response)));
  });
  router.get('/writer', (_request, response) => void response.json(world.writerOrders));
  router.post('/writer', async (request, response) => {
    const { delayMs = 0, fail = null } = await body(orders, request, response);
    world.writerOrders = { delayMs, fail };
    response.json(world.writerOrders);
  });
  router.use(() => {
    throw new Refusal(404, 'There is no such control.');
  });
  return router;
};
