import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { read } from '../../api/perform.ts';
import { locale, number } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import { formatMinor } from '../../parts/money.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { dayShape, type Sale } from './answers.ts';
import { insightProblem } from './Sales.tsx';
import styles from './insights.module.css';

const timeOf = ({ at }: Sale): string =>
  at ? new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(Date.parse(at)) : '';

/** The sales of one day, read when the person asks for it. */
export const DaySales = ({ now }: { now: number }) => {
  const [day, setDay] = useState(() => new Date(now).toISOString().slice(0, 10));
  const sales = useMutation({
    mutationFn: async (wanted: string) => dayShape.parse(await read('readDaySales', { query: { day: wanted } })).sales,
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (day !== '') sales.mutate(day);
  };
  return (
    <section aria-label={t('insights.day')} className={styles.section}>
      <h2>{t('insights.day')}</h2>
      <p className={styles.soft}>{t('insights.dayText')}</p>
      <form className={styles.line} onSubmit={onSubmit}>
        <TextInput
          type="date"
          aria-label={t('insights.dayField')}
          value={day}
          max={new Date(now).toISOString().slice(0, 10)}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Button type="submit" loading={sales.isPending} disabled={day === ''}>
          {t('insights.showDay')}
        </Button>
      </form>
      {sales.error && <ProblemLine>{insightProblem(sales.error)}</ProblemLine>}
      {sales.data?.length === 0 && <p>{t('insights.noneThatDay')}</p>}
      {sales.data && sales.data.length > 0 && (
        <DataTable
          name={t('insights.day')}
          file={`sales-${sales.variables}`}
          rows={sales.data}
          columns={[
            { name: t('insights.time'), show: timeOf, cell: (row) => row.at ?? null },
            {
              name: t('insights.item'),
              show: (row) => <UntrustedText text={row.title} fold={120} flag={false} />,
              cell: (row) => row.title,
            },
            { name: t('insights.items'), show: (row) => number(row.quantity), cell: (row) => row.quantity, end: true },
            {
              name: t('insights.price'),
              show: (row) => formatMinor(row.unitCents, row.currency),
              cell: (row) => row.unitCents / 100,
              end: true,
            },
          ]}
        />
      )}
    </section>
  );
};
