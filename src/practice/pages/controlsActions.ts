import { Router, urlencoded, type Response } from 'express';
import * as z from 'zod';
import { sale, sell } from '../controls/sell.ts';
import { dayMs, hourMs, minuteMs } from '../clock.ts';
import { parseOpen } from '../refusal.ts';
import type { World } from '../world/world.ts';

/** How far the buttons of the page move the clock. */
export const clockSteps = [
  { step: 'minutes', label: '10 minutes', ms: 10 * minuteMs },
  { step: 'hour', label: '1 hour', ms: hourMs },
  { step: 'day', label: '24 hours', ms: dayMs },
  { step: 'month', label: '30 days', ms: 30 * dayMs },
] as const;

const clockForm = z.looseObject({ step: z.enum(clockSteps.map(({ step }) => step)) });
const saleForm = sale.pick({ listingId: true });

const back = (response: Response): void => response.redirect(303, '/practice');

/** What the buttons of the page do. Only the page itself may send them: see the guard. */
export const controlsActions = (world: World): Router => {
  const router = Router();
  router.use(urlencoded({ extended: false, limit: '10kb' }));
  router.post('/clock', (request, response) => {
    const { step } = parseOpen(clockForm, request.body);
    world.clock.advance(clockSteps.find((one) => one.step === step)?.ms ?? 0);
    back(response);
  });
  router.post('/sales', (request, response) => {
    sell(world, { ...parseOpen(saleForm, request.body), quantity: 1, buyer: 'practice-buyer' });
    back(response);
  });
  return router;
};
