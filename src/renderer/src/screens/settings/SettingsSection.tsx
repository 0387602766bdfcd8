import type { ReactNode } from 'react';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import styles from './settings.module.css';

type SettingsSectionProps = {
  title: string;
  help?: string;
  error?: unknown;
  isLoading?: boolean;
  children?: ReactNode;
};

/** A section of the settings or of the account. While it loads, a placeholder is shown. */
export const SettingsSection = ({ title, help, error, isLoading = false, children }: SettingsSectionProps) => (
  <section aria-label={title} className={styles.plan} aria-busy={isLoading}>
    <h2>{title}</h2>
    {help && <p className={styles.small}>{help}</p>}
    {isLoading && <div className={styles.coming} />}
    {children}
    <ErrorLine error={error} />
  </section>
);
