import { limits, plans } from '../../contract/index.ts';
import { extraRates } from '../world/extras.ts';

/** The plans with today's numbers. */
export const planList = () =>
  plans.map((plan) => ({
    ...plan,
    currency: 'USD',
    extraRateCents: extraRates[plan.code],
    ...(plan.code === limits.trial.plan ? { trialDays: limits.trial.days } : {}),
  }));
