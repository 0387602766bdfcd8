import { findListingCurrency } from '../../../../contract/currency.ts';
import { showElement } from '../../components/showElement.ts';
import { findOwnEntry } from '../../../../contract/untrusted.ts';
import { core } from '../../../../i18n/english.ts';
import { t, translateMessage } from '../../i18n.ts';
import { findFieldLabel } from '../approvals/PromptFacts.tsx';
import { formatFieldLabel } from '../../api/unknownRecord.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import styles from './selling.module.css';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallError, getErrorSentence } from '../../api/call.ts';
import { ProblemLine } from '../../components/ScreenPage.tsx';
import { formatCents, formatMinorAmount, replaceSiteNames } from '../../components/text/format.ts';
import { formatCondition } from '../../components/text/formatCondition.ts';

/** The names and values come from outside the companion. */
export const ForeignFactList = ({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) =>
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

const postageLabelKeys: Readonly<Record<string, 'postageFlat' | 'postageCalculated'>> = {
  flat: 'postageFlat',
  calculated: 'postageCalculated',
};

const formatMoneyFact = (path: string, value: string, currency: string | null): string | null => {
  if (currency === null || !/^\d{1,12}$/.test(value)) return null;
  if (/(^|\.)price$|Cents$/.test(path)) return formatCents(Number(value), currency);
  return /Minor$/.test(path) ? formatMinorAmount(Number(value), currency) : null;
};

const formatFactValue = (path: string, value: string, currency: string | null): string => {
  if (value === 'true') return t('selling.form.yes');
  if (value === 'false') return t('selling.form.no');
  if (/(^|\.)(condition|format)$/.test(path)) return formatCondition(value, value);
  const postage = /(^|\.)postage$/.test(path) ? findOwnEntry(postageLabelKeys, value) : undefined;
  if (postage) return translateMessage({ key: `values.${postage}` }, core.values[postage]);
  return formatMoneyFact(path, value, currency) ?? replaceSiteNames(value);
};

type ServiceFactsProps = {
  facts: readonly (readonly [path: string, value: string])[];
  site: string | null;
};

/** A field without a label gets a label that is made from its name. */
export const ServiceFactList = ({ facts, site }: ServiceFactsProps) => {
  const currency = findListingCurrency({ marketplaceId: site });
  return (
    <ForeignFactList
      facts={facts.map(
        ([path, value]) =>
          [findFieldLabel(path) ?? formatFieldLabel(path), formatFactValue(path, value, currency)] as const,
      )}
    />
  );
};

type QueryState<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>;

export const QueryResultView = <T,>({
  of,
  rows,
  children,
}: {
  of: QueryState<T>;
  rows: number;
  children: (data: T) => ReactNode;
}) => (
  <>
    {of.error && (
      <div className={styles.line}>
        <ProblemLine>{of.error instanceof CallError ? getErrorSentence(of.error) : t('selling.odd')}</ProblemLine>
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

export const SellingSection = ({
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

export const scrollToSection = (id: string): void => {
  const heading = document.getElementById(id)?.querySelector('h2');
  if (heading) showElement(heading);
};
