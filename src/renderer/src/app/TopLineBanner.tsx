import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Icon } from '@tabler/icons-react';
import { createContext, useContext, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { t } from '../i18n.ts';
import styles from './frame.module.css';

type BannerAction = { label: string; act: () => void; quiet?: boolean; loading?: boolean; disabled?: boolean };

/** The bar shows one notice and how many more there are; the list on the Approvals screen shows all notices in full. */
type NoticeForm = { kind: 'bar'; more: number } | { kind: 'list' };

export const NoticeFormContext = createContext<NoticeForm>({ kind: 'list' });

type Props = {
  icon: Icon;
  look?: boolean;
  /** Screen readers announce an alarm at once. */
  alarm?: boolean;
  /** Screen readers do not announce changes, because the text changes all the time. */
  quiet?: boolean;
  /** The bar has too little room for the text or the answer, so it links to the list of all notices. */
  isLong?: boolean;
  children: ReactNode;
  actions?: readonly BannerAction[];
};

const useActionsInForm = (form: NoticeForm, isLong: boolean, actions: readonly BannerAction[]) => {
  const [, go] = useLocation();
  const isNarrow = useMediaQuery('(max-width: 600px)') ?? false;
  const hasRoom = !isLong && !(isNarrow && actions.length > 1);
  return form.kind === 'bar' && !hasRoom ? [{ label: t('app.line.show'), act: () => go('/approvals') }] : actions;
};

/** A line of text above the screen, with buttons for what the person can do about it. */
export const TopLineBanner = ({
  icon: Sign,
  look = false,
  alarm = false,
  quiet = false,
  isLong = false,
  children,
  actions = [],
}: Props) => {
  const form = useContext(NoticeFormContext);
  const shown = useActionsInForm(form, isLong, actions);
  return (
    <div
      className={styles.topLine}
      data-form={form.kind}
      data-look={look || undefined}
      data-alarm={alarm || undefined}
      role={alarm ? 'alert' : 'status'}
      aria-live={quiet ? 'off' : undefined}
    >
      <Sign size={16} aria-hidden />
      <span className={styles.lineWords}>{children}</span>
      {form.kind === 'bar' && form.more > 0 && (
        <Link href="/approvals" className={styles.more}>
          {t('app.line.more', { count: form.more })}
        </Link>
      )}
      {shown.length > 0 && (
        <span className={styles.lineActs}>
          {shown.map(({ label, act, quiet: isQuiet, ...state }) => (
            <Button key={label} size="compact-sm" {...(isQuiet ? { variant: 'quiet' } : {})} {...state} onClick={act}>
              {label}
            </Button>
          ))}
        </span>
      )}
    </div>
  );
};
