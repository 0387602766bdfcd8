/** How a plan is changed, as the service says: a page to make, or words for the person. */
export type UpgradeWay =
  | { kind: 'checkout'; body: { tier: string; trial?: boolean } }
  | { kind: 'portal'; body: Record<string, unknown> }
  | { kind: 'words'; words: string };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const checkoutOf = (body: unknown): UpgradeWay | null => {
  if (!isObject(body) || typeof body.tier !== 'string' || body.tier === '') return null;
  return { kind: 'checkout', body: { tier: body.tier, ...(body.trial === true ? { trial: true } : {}) } };
};

/** Reads `upgrade.how`, whose shape the interface leaves open; null when it names no way that is known here. */
export const upgradeWay = (how: unknown): UpgradeWay | null => {
  if (!isObject(how)) return null;
  if (how.openApp !== undefined && how.openApp !== false)
    return typeof how.tellThePerson === 'string' ? { kind: 'words', words: how.tellThePerson } : null;
  const call = isObject(how.call) ? how.call : how;
  if (typeof call.path === 'string' && call.path.includes('portal'))
    return { kind: 'portal', body: isObject(call.body) ? call.body : {} };
  return checkoutOf(call.body) ?? checkoutOf(call);
};
