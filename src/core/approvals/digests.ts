import type { RouteName } from '../../contract/index.ts';
import { english } from '../../words/inEnglish.ts';
import { saying } from '../../words/saying.ts';
import type { Change } from './approval.ts';
import type { ApprovalRow } from './approvalsTable.ts';
import { digestOf } from './canonical.ts';
import type { Drawn } from './prompts/prompt.ts';

/** A request as digests know it. */
type Asked = { route: RouteName; input: unknown; account: string; askerId: string };

/** Part of every digest: a yes given to one meaning of the table is not one to another. */
const contractVersion = 1;

/** Names the same request of the same asker, whatever the listing is like at the moment. */
export const requestDigestOf = ({ route, input, account, askerId }: Asked): string =>
  digestOf([route, input, account, askerId]);

/** Names everything that a yes is bound to: the request, who asks, and what was shown. */
export const yesDigest = ({ route, input, account, askerId }: Asked, { bound, first }: Drawn): string =>
  digestOf([contractVersion, route, input, account, askerId, bound, first]);

/** The same for a stored approval whose prompt was drawn afresh. */
export const digestFor = (row: ApprovalRow, drawn: Drawn): string =>
  yesDigest({ route: row.route, input: row.input, account: row.account, askerId: row.asker_id }, drawn);

/**
 * Whether a yes to the stored prompt covers the fresh one. It does when both say the same; and when all that is new is
 * that a notice, to which the yes would also agree, has been agreed to since: it asks for less than what was shown.
 */
export const covers = (row: ApprovalRow, drawn: Drawn): boolean => {
  if (digestFor(row, drawn) === row.digest) return true;
  const notice = row.bound[feeNoticeLabel];
  if (row.first.length === 0 || drawn.first.length > 0 || notice === undefined) return false;
  return (
    digestFor(row, { ...drawn, first: row.first, bound: { ...drawn.bound, [feeNoticeLabel]: notice } }) === row.digest
  );
};

/** The label under which a prompt is bound to whether the site's fee notice is agreed. */
export const feeNoticeLabel = 'Fee notice';

const unsaid = {
  before: english('values.asBefore'),
  after: english('values.changed'),
  says: { before: saying('values.asBefore'), after: saying('values.changed') },
};

/** Values that are words of ours. */
const words = new Map(
  (['free', 'unchecked', 'agreed', 'toBeAgreed'] as const).map((word) => [
    english(`values.${word}`),
    saying(`values.${word}`),
  ]),
);
const wordsSaid = (before: string, after: string): Pick<Change, 'says'> =>
  words.has(before) || words.has(after) ? { says: { before: words.get(before), after: words.get(after) } } : {};

/** Bound values that are digests: that they differ can be said, but not how. */
const isDigest = (value: string): boolean => /^[0-9a-f]{64}$/.test(value);

/** What differs between two prompts of the same request, by label. */
export const changesBetween = (before: Record<string, string>, after: Record<string, string>): Change[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((label) => {
    const was = before[label] ?? '';
    const is = after[label] ?? '';
    if (was === is) return [];
    const opaque = isDigest(was) || isDigest(is);
    return [opaque ? { label, ...unsaid } : { label, before: was, after: is, ...wordsSaid(was, is) }];
  });
