import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { sentenceOf, read } from '../../api/call.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { formatCents } from '../../components/text/format.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { dayWords } from '../../i18n/locale.ts';
import { invoicesIn, type Invoice } from './answers.ts';
import { t } from '../../i18n/t.ts';
import styles from '../settings/settings.module.css';

const dayOf = ({ at }: Invoice): string => (at === null ? '–' : dayWords(at));
const amountOf = ({ cents, currency }: Invoice): string => (cents === null ? '–' : formatCents(cents, currency));

/** The invoices, read when the person asks for them. */
export const Invoices = () => {
  const invoices = useMutation({ mutationFn: async () => invoicesIn(await read('listInvoices', {})) });
  return (
    <>
      <div className={styles.line}>
        <Button loading={invoices.isPending} onClick={() => invoices.mutate()}>
          {t('account.money.readInvoices')}
        </Button>
        <span className={styles.small}>{t('account.money.invoicesHelp')}</span>
      </div>
      {invoices.error && <ProblemLine>{sentenceOf(invoices.error)}</ProblemLine>}
      {invoices.data?.length === 0 && <p>{t('account.money.noInvoices')}</p>}
      {invoices.data && invoices.data.length > 0 && (
        <DataTable
          name={t('account.money.invoices')}
          file="invoices"
          rows={invoices.data}
          columns={[
            {
              name: t('account.money.date'),
              show: dayOf,
              cell: ({ at }) => (at === null ? null : new Date(at).toISOString().slice(0, 10)),
            },
            {
              name: t('account.money.what'),
              show: ({ text }) => <UntrustedText text={text} fold={120} flag={false} />,
              cell: ({ text }) => text,
            },
            {
              name: t('account.money.amount'),
              show: amountOf,
              cell: ({ cents, currency }) =>
                cents === null ? null : `${(cents / 100).toFixed(2)} ${currency ?? ''}`.trim(),
              end: true,
            },
          ]}
        />
      )}
    </>
  );
};
