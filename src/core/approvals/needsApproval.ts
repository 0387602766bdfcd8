import { routeOf, type RouteName } from '../../contract/index.ts';
import { isRecord } from '../base/unknownRecord.ts';
import { turnsOffNotices } from './turnsOffNotices.ts';

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
  return [...(route.askFirstWhen ?? []), ...(known.live?.askFirstWhen ?? [])].some((trigger) => isSet(body, trigger));
};

/** `field` is set when the body has it, whatever its value; `field=value` when it has that value. */
const isSet = (body: unknown, trigger: string): boolean => {
  if (!isRecord(body)) return false;
  const [field = '', value] = trigger.split('=');
  if (!Object.hasOwn(body, field)) return false;
  const given = body[field];
  return value === undefined ? given !== undefined : given === value;
};
