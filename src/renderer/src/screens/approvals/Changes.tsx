import type { Change } from '../../api/types.ts';
import { ChangedWords } from '../../parts/ChangedWords.tsx';
import { Said } from '../../parts/Said.tsx';
import { wordDiff } from '../../parts/wordDiff.ts';
import { t } from '../../i18n/t.ts';
import { told } from '../../i18n/told.ts';
import { labelWords } from '../../parts/promptWords.ts';
import styles from './receipt.module.css';
import tables from './tables.module.css';

const longest = 2_000;

/** One change as two columns, with the words marked that differ. */
const ChangeRow = ({ change }: { change: Change }) => {
  const before = told(change.says?.before, change.before);
  const after = told(change.says?.after, change.after);
  const diff = wordDiff(before.slice(0, longest), after.slice(0, longest));
  const cut = before.length > longest || after.length > longest;
  return (
    <tr>
      <th scope="row">
        <Said text={labelWords(change.label)} />
      </th>
      <td>
        {before === '' ? <i>{t('approvals.change.nothing')}</i> : <ChangedWords parts={diff.before} mark="del" />}
      </td>
      <td>
        {after === '' ? <i>{t('approvals.change.nothing')}</i> : <ChangedWords parts={diff.after} mark="ins" />}
        {cut && <span className={styles.small}>{t('approvals.change.cut', { count: longest })}</span>}
      </td>
    </tr>
  );
};

/** Before → after. */
export const Changes = ({ changes, caption }: { changes: readonly Change[]; caption: string }) => (
  <table className={tables.changes}>
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">{t('approvals.change.what')}</th>
        <th scope="col">{t('approvals.change.before')}</th>
        <th scope="col">{t('approvals.change.after')}</th>
      </tr>
    </thead>
    <tbody>
      {changes.map((change, at) => (
        <ChangeRow key={at} change={change} />
      ))}
    </tbody>
  </table>
);
