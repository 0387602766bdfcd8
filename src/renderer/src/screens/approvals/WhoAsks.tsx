import { IconAlertTriangle } from '@tabler/icons-react';
import { Trans } from 'react-i18next';
import type { ApprovalView } from '../../api/types.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';

const bold = (name: string) => (
  <b>
    <UntrustedText text={name} fold={80} />
  </b>
);

/** That a name is easily taken for another assistant's, or for the person's or the companion's own. */
export const NameLike = ({ like }: { like: ApprovalView['nameLike'] }) =>
  like === null ? null : (
    <p className={styles.nameLike}>
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {like.kind === 'reserved' ? (
          t('approvals.nameReserved')
        ) : (
          <Trans i18nKey="approvals.nameLike" components={{ name: bold(like.name) }} />
        )}
      </span>
    </p>
  );

type Props = Pick<ApprovalView, 'by' | 'askedAt' | 'nameLike'>;

/** Who asks and when; of an assistant, that it named itself, and whether another has a name like it. */
export const WhoAsks = ({ by, askedAt, nameLike }: Props) => (
  <header className={styles.who}>
    <p>
      {by.kind === 'person' ? (
        <b>{t('approvals.youAsked')}</b>
      ) : (
        <Trans i18nKey="approvals.asks" components={{ name: bold(by.name) }} />
      )}
    </p>
    <p className={styles.small}>
      {by.kind === 'assistant' && `${t('approvals.ownName')} · `}
      <RelativeTime at={askedAt} />
    </p>
    <NameLike like={nameLike} />
  </header>
);
