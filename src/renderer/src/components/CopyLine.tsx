import { Button, CopyButton } from '@mantine/core';
import { t } from '../i18n.ts';
import styles from './lists/row.module.css';

export const CopyLine = ({ label, text }: { label: string; text: string }) => (
  <div className={styles.copy}>
    <span>{label}</span>
    <code>{text}</code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button variant="quiet" onClick={copy} aria-label={`${t('parts.copy')}: ${label}`}>
          {copied ? t('parts.copied') : t('parts.copy')}
        </Button>
      )}
    </CopyButton>
  </div>
);
