import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemLine } from '../../../components/ScreenPage.tsx';
import { createEscapeHandler } from '../../../components/Keys.tsx';
import { t } from '../../../i18n.ts';
import styles from './review.module.css';

type FootProps = { submit: string; busy: boolean; problem: string | null; onClose: () => void };

export const ReviewFormFooter = ({ submit, busy, problem, onClose }: FootProps) => (
  <>
    {problem && <ProblemLine>{problem}</ProblemLine>}
    <div className={styles.publishLine}>
      <Button type="submit" variant="ink" loading={busy}>
        {submit}
      </Button>
      <Button onClick={onClose}>{t('review.keepAsIs')}</Button>
    </div>
  </>
);

type Props = FootProps & { name: string; onSubmit: () => void; children: ReactNode };

export const ReviewForm = ({ name, onSubmit, children, ...foot }: Props) => (
  <form
    className={styles.form}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
    onKeyDown={createEscapeHandler(foot.onClose)}
    data-own-keys="Escape"
    aria-label={name}
  >
    {children}
    <ReviewFormFooter {...foot} />
  </form>
);
