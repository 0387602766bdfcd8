import { isRecord } from '../../base/json.ts';

/** The field of a checkout's body that names the plan; undefined where none does. The interface names only the first. */
export const tierFieldIn = (body: Readonly<Record<string, unknown>>): string | undefined =>
  ['tier', 'plan', 'planId'].find((field) => typeof body[field] === 'string');

/** The fields that a plan may be named by, as the interface shows no shape of the live plans. */
const planNames = ['code', 'tier', 'planId', 'name'];

const nameIn = (plan: Record<string, unknown>, field: string): string | null => {
  const name = plan[field];
  return typeof name === 'string' ? name.toLowerCase() : null;
};

/** The live plans that go by some name. */
export const plansIn = (answer: unknown): Record<string, unknown>[] => {
  const listed = isRecord(answer) ? (answer['plans'] ?? answer) : answer;
  const records = Array.isArray(listed) ? listed.filter(isRecord) : [];
  return records.filter((plan) => planNames.some((field) => nameIn(plan, field) !== null));
};

/** A plan of the live ones; null where none goes by that name. */
export const livePlan = (answer: unknown, wanted: string): Record<string, unknown> | null => {
  const listed = plansIn(answer);
  for (const field of planNames) {
    const found = listed.find((plan) => nameIn(plan, field) === wanted.toLowerCase());
    if (found) return found;
  }
  return null;
};
