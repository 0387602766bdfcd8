import type { Change } from '../../api/types.ts';
import { ChangedWords } from '../../parts/ChangedWords.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { wordDiff, type Part } from '../../parts/wordDiff.ts';
import { formatEnglish } from '../../../../i18n/english.ts';
import type { Message } from '../../../../i18n/message.ts';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';
import { labelWords } from './labelWords.ts';
import tables from './tables.module.css';

/** One side in words. One that has no value says what happens instead: "removes all item specifics". */
const sideOf = (says: Message | undefined, value: string): string =>
  says && value === '' ? translate(says, formatEnglish(says)) : translate(says, value);

const Side = ({ parts, mark }: { parts: readonly Part[]; mark: 'del' | 'ins' }) =>
  parts.length === 0 ? <i>{t('approvals.change.nothing')}</i> : <ChangedWords parts={parts} mark={mark} />;

/** The name of a field: ours where we have one, else as it is sent, and marked as such. */
const Name = ({ change }: { change: Change }) =>
  change.foreign ? (
    <>
      <code className={tables.foreign}>
        <UntrustedText text={change.label} fold={120} />
      </code>
      <small>{t('approvals.change.foreign')}</small>
    </>
  ) : (
    <UntrustedText text={labelWords(change)} fold={120} />
  );

/** One change as two columns, with the words marked that differ. */
const ChangeRow = ({ change }: { change: Change }) => {
  const diff = wordDiff(sideOf(change.says?.before, change.before), sideOf(change.says?.after, change.after));
  return (
    <tr data-foreign={change.foreign || undefined}>
      <th scope="row">
        <Name change={change} />
      </th>
      <td>
        <Side parts={diff.before} mark="del" />
      </td>
      <td>
        <Side parts={diff.after} mark="ins" />
      </td>
    </tr>
  );
};

type Props = {
  changes: readonly Change[];
  caption: string;
  /** The headings of the two sides, where they are not "before" and "after". */
  sides?: readonly [string, string];
};

/** Before → after, to the last character. */
export const Changes = ({ changes, caption, sides }: Props) => (
  <table className={tables.changes}>
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">{t('approvals.change.what')}</th>
        <th scope="col">{sides?.[0] ?? t('approvals.change.before')}</th>
        <th scope="col">{sides?.[1] ?? t('approvals.change.after')}</th>
      </tr>
    </thead>
    <tbody>
      {changes.map((change) => (
        <ChangeRow key={change.key} change={change} />
      ))}
    </tbody>
  </table>
);
