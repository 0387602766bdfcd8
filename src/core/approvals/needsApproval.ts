import { type RouteName, getRouteByName } from '../../contract/index.ts';
import { listJsonLeaves, type Leaf } from './subject.ts';
import { isRecord } from '../base/json.ts';

const preferenceRoutes: readonly RouteName[] = ['updateUserNotificationPreferences', 'updatePushPreferences'];

/** These notices are optional. Any other notice might be about security or billing. */
const dispensableNotices =
  /^(news|newsletter|marketing|tips|offers|promotions?|product|sales?|publishResults|weekly|digest|reminders?)$/i;
/** Switches that silence notices when they are on. */
const silencingSwitches = /unsub|mute|silen|pause|snooze|disable|optOut|opt_out|doNotDisturb/i;

const isTurnedOff = (value: unknown): boolean =>
  value !== true && !(typeof value === 'string' && /^(on|all|yes|true|instant|daily)$/i.test(value));

const turnsNoticeOff = ({ path, value }: Leaf): boolean => {
  if (path.length === 0) return false;
  if (path.some((name) => silencingSwitches.test(name))) return value !== false;
  return isTurnedOff(value) && !path.some((name) => dispensableNotices.test(name));
};

/**
 * Returns whether the body turns off notices that might be important. The preferences are undocumented, so every notice
 * counts as important unless it is clearly about news or sales.
 */
const turnsOffImportantNotices = (route: RouteName, body: unknown): boolean =>
  preferenceRoutes.includes(route) && listJsonLeaves(body).some(turnsNoticeOff);

/** The live route list can only make the rules stricter. */
export type KnownRouteFacts = {
  live?: { askFirst: boolean; askFirstWhen: readonly string[] } | undefined;
  /** Whether the listing was generated before. A repeated generation uses up the allowance again. */
  generatedBefore?: boolean;
};

/** Returns whether the built-in rules or the live route list require the person's approval. */
export const requiresApproval = (name: RouteName, body: unknown, known: KnownRouteFacts = {}): boolean => {
  const route = getRouteByName(name);
  if (route.askFirst || known.live?.askFirst) return true;
  if (name === 'generateListing' && known.generatedBefore && !isTriggerSet(body, 'intent=adapt_marketplace'))
    return true;
  if (turnsOffImportantNotices(name, body)) return true;
  return [...(route.askFirstWhen ?? []), ...(known.live?.askFirstWhen ?? [])].some(
    (trigger) => isTriggerSet(body, trigger) || mightContainTrigger(body, trigger),
  );
};

/** The trigger `field` matches any value of the field; `field=value` matches only this value. */
const isTriggerSet = (body: unknown, trigger: string): boolean => {
  if (!isRecord(body)) return false;
  const [field = '', value] = trigger.split('=');
  if (!Object.hasOwn(body, field)) return false;
  const given = body[field];
  return value === undefined ? given !== undefined : given === value;
};

/** Removes differences that a lenient parser might ignore. */
const normalizeFieldName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** Also finds a trigger that is spelled differently or nested deeper, because a lenient service might accept it. */
const mightContainTrigger = (body: unknown, trigger: string): boolean => {
  const [field = '', value] = trigger.split('=').map(normalizeFieldName);
  return listJsonLeaves(body).some(
    ({ path, value: given }) =>
      path[0] !== 'itemSpecifics' &&
      path.some((name) => name.split('.').some((part) => normalizeFieldName(part) === field)) &&
      (value === undefined || normalizeFieldName(String(given)) === value),
  );
};
