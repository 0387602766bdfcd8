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

/** What is repaired: in our words where the code of the refusal has some, else in the service's own. */
export const repairFacts = ({ repair }: Record<string, unknown>): Fact[] => {
  if (repair === undefined) return [];
  const { code, sentence } = recordOf(repair);
  const says = typeof code === 'string' ? entryOf(repairs, code) : message('prompts.repairLast');
  const fact = { namespace: 'request' as const, key: 'repair', ...ownLabel('repair') };
  return [{ ...fact, ...(says ? { value: formatEnglish(says), says } : { value: String(sentence) }) }];
};
