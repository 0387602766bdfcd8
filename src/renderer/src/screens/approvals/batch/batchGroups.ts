import type { ApprovalView, BatchRow, BatchView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { asked } from '../../../parts/promptWords.ts';
import { actOf, type Act } from '../acts.ts';

/** A row that was asked for, with its approval. */
export type AskedRow = BatchRow & { approval: ApprovalView };

/** The rows of one act. `name` is the act in the words of its prompts, for one that we have no words of our own for. */
export type BatchGroup = { route: BatchRow['route']; act: Act; name: string; rows: BatchRow[] };

const orderOf: readonly Act[] = ['publish', 'change', 'other', 'end', 'delete'];

const nameOf = (rows: readonly BatchRow[]): string => {
  const prompt = rows.find(({ approval }) => approval !== null)?.approval?.prompt;
  return prompt ? asked(prompt, 'act') : '';
};

/** The rows by what they are about: those of one route stand together, what cannot be undone comes last. */
export const groupRows = (rows: readonly BatchRow[]): BatchGroup[] => {
  const routes = [...new Set(rows.map(({ route }) => route))];
  return routes
    .map((route) => {
      const own = rows.filter((row) => row.route === route);
      return { route, act: actOf(route), name: nameOf(own), rows: own };
    })
    .sort((a, b) => orderOf.indexOf(a.act) - orderOf.indexOf(b.act));
};

/** The heading of a group: "Publish 6 listings". */
export const headOf = ({ act, name, rows: { length: count } }: BatchGroup): string =>
  act === 'other' ? t('approvals.batch.head.other', { act: name, count }) : t(`approvals.batch.head.${act}`, { count });

/** The name of a row's tick: "Publish Red fox". */
export const tickWords = (group: Pick<BatchGroup, 'act' | 'name'>, name: string): string =>
  t(`approvals.batch.tick.${group.act}`, { act: group.name, name });

/** Several acts as the beginning of a sentence, without their money: "Publish 4, end 2". */
export const actWords = (groups: readonly BatchGroup[]): string =>
  groups
    .filter(({ rows }) => rows.length > 0)
    .map(({ act, name, rows: { length: count } }, at) =>
      t(`approvals.batch.${at === 0 ? 'first' : 'next'}.${act}`, { act: name, count }),
    )
    .join(', ');

/** Whether all of them publish: then a row that failed is not published, and not merely not done. */
export const arePublishes = (rows: readonly BatchRow[]): boolean =>
  rows.every(({ route }) => actOf(route) === 'publish');

/** What happens to a batch when the seconds to take it back are over: "End 2, delete 1: in 4 s". */
export const heldWords = ({ rows }: Pick<BatchView, 'rows'>, s: number): string => {
  const held = rows.filter(({ approval }) => approval?.state === 'approved');
  return t('approvals.hold.several', { acts: actWords(groupRows(held)), s });
};
