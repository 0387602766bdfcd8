import type { RouteName } from '../../contract/index.ts';
import { leavesOf, type Leaf } from './subject.ts';

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
export const turnsOffNotices = (route: RouteName, body: unknown): boolean =>
  preferences.includes(route) && leavesOf(body).some(turnsOff);
