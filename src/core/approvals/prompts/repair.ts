import { formatEnglish } from '../../../i18n/english.ts';
import { message, type Message } from '../../../i18n/message.ts';
import { entryOf } from '../../../contract/untrusted.ts';
import { recordOf } from '../../base/json.ts';
import type { Fact } from '../../storage/tables/approvalRecord.ts';
import type { Reads } from './prompt.ts';
import { ownLabel } from './values.ts';

/** What the last publish was refused for, where this one repairs the account first; a yes is bound to it. */
export const repairOf = (body: Record<string, unknown>, listingId: string, reads: Reads) =>
  body['fix'] === true ? { repair: reads.lastRefusal(listingId) } : {};

const repairs: Readonly<Record<string, Message>> = {
  MISSING_POLICIES: message('prompts.repairPolicies'),
  TARGET_POLICIES_REQUIRED: message('prompts.repairSite'),
};

const codeOf = (repair: unknown): string | null => {
  const { code } = recordOf(repair);
  return typeof code === 'string' ? code : null;
};

/**
 * What the repair means: a problem is named only where the last refusal is known, and is one that can be repaired. What
 * else can be, the service alone knows, and of refusals that went past the companion too.
 */
export const repairMeans = ({ repair }: Record<string, unknown>): Message =>
  entryOf(repairs, codeOf(repair) ?? '') ? message('prompts.repairMeans') : message('prompts.repairIfMeans');

/** What is repaired: in our words where the code of the refusal has some, else in the service's own. */
export const repairFacts = ({ repair }: Record<string, unknown>): Fact[] => {
  if (repair === undefined) return [];
  const code = codeOf(repair);
  const says = code === null ? message('prompts.repairLast') : entryOf(repairs, code);
  const fact = { namespace: 'request' as const, key: 'repair', ...ownLabel('repair') };
  return [
    { ...fact, ...(says ? { value: formatEnglish(says), says } : { value: String(recordOf(repair)['sentence']) }) },
  ];
};
