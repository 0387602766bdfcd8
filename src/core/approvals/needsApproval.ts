import { type RouteName, routeOf } from '../../contract/index.ts';
import { leavesOf, type Leaf } from './subject.ts';
import { isRecord } from '../base/json.ts';

const preferences: readonly RouteName[] = ['updateUserNotificationPreferences', 'updatePushPreferences'];

/** Notices that a seller can do without; whatever else is turned off may be about security or billing. */
const harmless =
  /^(news|newsletter|marketing|tips|offers|promotions?|product|sales?|publishResults|weekly|digest|reminders?)$/i;
/** Switches that silence when they are on. */
const silencing = /unsub|mute|silen|pause|snooze|disable|optOut|opt_out|doNotDisturb/i;

const isOff = (value: unknown): boolean =>
  value !== true && !(typeof value === 'string' && /^(on|all|yes|true|instant|daily)$/i.test(value));

const turnsOff = ({ path, value }: Leaf): boolean => {
  if (path.length === 0) return false;
  if (path.some((name) => silencing.test(name))) return value !== false;
  return isOff(value) && !path.some((name) => harmless.test(name));
};

/**
 * Whether a body may turn off security or billing notices. The interface shows no shape of these preferences, so anything
 * that is turned off counts unless it is plainly news or sales.
 */
const turnsOffNotices = (route: RouteName, body: unknown): boolean =>
  preferences.includes(route) && leavesOf(body).some(turnsOff);

/** What is known of a request besides the request: the live route list can only make the rule stricter. */
export type Known = {
  live?: { askFirst: boolean; askFirstWhen: readonly string[] } | undefined;
  /** True when the listing was already written once, or may have been: writing it again uses another listing. */
  generatedBefore?: boolean;
};

/** Whether the person must be asked before exactly this body is sent: by the built-in table, the live one, or both. */
export const needsApproval = (name: RouteName, body: unknown, known: Known = {}): boolean => {
  const route = routeOf(name);
  if (route.askFirst || known.live?.askFirst) return true;
  if (name === 'generateListing' && known.generatedBefore && !isSet(body, 'intent=adapt_marketplace')) return true;
  if (turnsOffNotices(name, body)) return true;
  return [...(route.askFirstWhen ?? []), ...(known.live?.askFirstWhen ?? [])].some(
    (trigger) => isSet(body, trigger) || mayBeRead(body, trigger),
  );
};

/** `field` is set when the body has it, whatever its value; `field=value` when it has that value. */
const isSet = (body: unknown, trigger: string): boolean => {
  if (!isRecord(body)) return false;
  const [field = '', value] = trigger.split('=');
  if (!Object.hasOwn(body, field)) return false;
  const given = body[field];
  return value === undefined ? given !== undefined : given === value;
};

/** A name as whoever is lenient reads it: however it is written, and without what is not seen. */
const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/**
 * Whether a service that is lenient may find the trigger in the body: written otherwise, or deeper. Item specifics have
 * names of the marketplace, and set nothing.
 */
const mayBeRead = (body: unknown, trigger: string): boolean => {
  const [field = '', value] = trigger.split('=').map(folded);
  return leavesOf(body).some(
    ({ path, value: given }) =>
      path[0] !== 'itemSpecifics' &&
      path.some((name) => name.split('.').some((part) => folded(part) === field)) &&
      (value === undefined || folded(String(given)) === value),
  );
};
