import type { Change } from '../../api/types.ts';
import { ChangedWords } from '../../parts/ChangedWords.tsx';
import { Said } from '../../parts/Said.tsx';
import { wordDiff } from '../../parts/wordDiff.ts';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';
import tables from './tables.module.css';

const longest = 2_000;

/** One change as two columns, with the words marked that differ. */
const ChangeRow = ({ change }: { change: Change }) => {
  const diff = wordDiff(change.before.slice(0, longest), change.after.slice(0, longest));
  const cut = change.before.length > longest || change.after.length > longest;
  return (
    <tr>
      <th scope="row">
        <Said text={change.label} />
      </th>
      <td>
        {change.before === '' ? (
          <i>{t('approvals.change.nothing')}</i>
        ) : (
          <ChangedWords parts={diff.before} mark="del" />
        )}
      </td>
      <td>
        {change.after === '' ? <i>{t('approvals.change.nothing')}</i> : <ChangedWords parts={diff.after} mark="ins" />}
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
