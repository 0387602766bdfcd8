import { Button, CopyButton } from '@mantine/core';
import { t } from '../../i18n/t.ts';
import type { Step } from './snippets.ts';
import styles from './assistants.module.css';

const placeWords = (place: Step['place']): string => {
  if (typeof place === 'object') return t('assistants.connect.into', { file: place.file });
  return place === 'terminal' ? t('assistants.connect.inTerminal') : t(`assistants.connect.${place}`);
};

/** A text to take into an assistant's own set-up, with where it belongs. */
export const Snippet = ({ name, step }: { name: string; step: Step }) => (
  <figure className={styles.snippet}>
    <figcaption>
      <span>{placeWords(step.place)}</span>
      <CopyButton value={step.text}>
        {({ copied, copy }) => (
          <Button
            variant="quiet"
            size="compact-sm"
            onClick={copy}
            aria-label={`${t('parts.copy')}: ${t('assistants.connect.snippet', { name })}`}
          >
            {copied ? t('parts.copied') : t('parts.copy')}
          </Button>
        )}
      </CopyButton>
    </figcaption>
    <pre tabIndex={0} aria-label={t('assistants.connect.snippet', { name })}>
      {step.text}
    </pre>
  </figure>
);
