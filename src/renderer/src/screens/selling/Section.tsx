import { t } from '../../i18n.ts';
import { fieldLabel } from '../../api/unknownRecord.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import styles from './selling.module.css';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallError, sentenceOf } from '../../api/call.ts';
import { ProblemLine } from '../../components/Page.tsx';
import { nameSites } from '../../components/text/format.ts';

/** Names and values of others, a hairline between them. */
export const FactList = ({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) =>
  facts.length === 0 ? null : (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>
            <UntrustedText text={name} fold={80} flag={false} />
          </dt>
          <dd>
            <UntrustedText text={value} fold={200} />
          </dd>
        </div>
      ))}
    </dl>
  );

const valueText = (value: string): string => {
  if (value === 'true') return t('selling.form.yes');
  return value === 'false' ? t('selling.form.no') : nameSites(value);
};

/** The same for fields that only the service knows: their names are made to words. */
export const ServiceFacts = ({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) => (
  <FactList facts={facts.map(([name, value]) => [fieldLabel(name), valueText(value)] as const)} />
);

type Reading<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>;

/** What a reading answered. Until then its room; after a refusal its sentence and another try. */
export const QueryResult = <T,>({
  of,
  rows,
  children,
}: {
  of: Reading<T>;
  rows: number;
  children: (data: T) => ReactNode;
}) => (
  <>
    {of.error && (
      <div className={styles.line}>
        <ProblemLine>{of.error instanceof CallError ? sentenceOf(of.error) : t('selling.odd')}</ProblemLine>
        <Button loading={of.isFetching} onClick={() => void of.refetch()}>
          {t('app.tryAgain')}
        </Button>
      </div>
    )}
    {of.data === undefined
      ? !of.error && <div className={styles.coming} style={{ height: `${rows * 40}px` }} aria-busy />
      : children(of.data)}
  </>
);

/** A part of the setup with its heading, which can be gone to from elsewhere on the screen. */
export const Section = ({
  id,
  title,
  text,
  children,
}: {
  id: string;
  title: string;
  text?: string;
  children: ReactNode;
}) => (
  <section aria-label={title} className={styles.section} id={id}>
    <h2 tabIndex={-1}>{title}</h2>
    {text && <p className={styles.soft}>{text}</p>}
    {children}
  </section>
);

/** Takes the person to a part of the screen. */
export const goTo = (id: string): void => {
  const heading = document.getElementById(id)?.querySelector('h2');
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
};
