import { SettingsSection } from '../settings/SettingsSection.tsx';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { readServiceAnswer } from '../../api/call.ts';
import { DataTable } from '../../components/lists/DataTable.tsx';
import { formatCents, formatUtcDay } from '../../components/text/format.ts';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { parseInvoiceList, type Invoice, parsePromoCode, type PromoCode, useReferralLink } from './useAccount.ts';
import { t, getCurrentLocale } from '../../i18n.ts';
import styles from '../settings/settings.module.css';
import { useForm } from '@mantine/form';
import { CopyLine } from '../../components/CopyLine.tsx';
import own from './account.module.css';

const formatInvoiceDay = ({ at }: Invoice): string => (at === null ? '–' : formatUtcDay(at));
const formatInvoiceAmount = ({ cents, currency }: Invoice): string =>
  cents === null ? '–' : formatCents(cents, currency);

const InvoiceList = () => {
  const invoices = useMutation({
    mutationFn: async () => parseInvoiceList(await readServiceAnswer('listInvoices', {})),
  });
  return (
    <>
      <div className={styles.line}>
        <Button loading={invoices.isPending} onClick={() => invoices.mutate()}>
          {t('account.money.readInvoices')}
        </Button>
        <span className={styles.small}>{t('account.money.invoicesHelp')}</span>
      </div>
      <ErrorLine error={invoices.error} />
      {invoices.data?.length === 0 && <p>{t('account.money.noInvoices')}</p>}
      {invoices.data && invoices.data.length > 0 && (
        <DataTable
          name={t('account.money.invoices')}
          file="invoices"
          rows={invoices.data}
          columns={[
            {
              name: t('account.money.date'),
              show: formatInvoiceDay,
              cell: ({ at }) => (at === null ? null : new Date(at).toISOString().slice(0, 10)),
            },
            {
              name: t('account.money.what'),
              show: ({ text }) => <UntrustedText text={text} fold={120} flag={false} />,
              cell: ({ text }) => text,
            },
            {
              name: t('account.money.amount'),
              show: formatInvoiceAmount,
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

const describePromoCode = (promo: PromoCode | null): string => {
  if (promo === null) return t('account.unknown');
  if (!promo.valid) return t('account.money.invalid');
  if (promo.percentOff === null) return t('account.money.valid');
  const percent = new Intl.NumberFormat(getCurrentLocale(), { style: 'percent' }).format(promo.percentOff / 100);
  return t('account.money.validOff', { percent });
};

const PromoCodeForm = () => {
  const check = useMutation({
    mutationFn: async (given: string) =>
      parsePromoCode(await readServiceAnswer('checkPromoCode', { body: { code: given } })),
  });
  const form = useForm({ initialValues: { code: '' }, onValuesChange: () => check.reset() });
  const code = form.values.code.trim();
  const onSubmit = form.onSubmit(() => {
    if (code !== '') check.mutate(code);
  });
  return (
    <form className={styles.aside} onSubmit={onSubmit} aria-label={t('account.money.promo')}>
      <TextInput
        flex="0 1 360px"
        label={t('account.money.promo')}
        description={t('account.money.promoHelp')}
        autoComplete="off"
        {...form.getInputProps('code')}
      />
      <Button type="submit" loading={check.isPending} disabled={code === ''}>
        {t('account.money.check')}
      </Button>
      <span role="status" className={own.said}>
        {check.data !== undefined && describePromoCode(check.data)}
      </span>
      <ErrorLine error={check.error} />
    </form>
  );
};

const formatJoinedCount = (count: number): string =>
  count === 0 ? t('account.money.joinedNone') : t('account.money.joined', { count });

const ReferralLink = () => {
  const { link, joined } = useReferralLink().data ?? { link: null, joined: null };
  if (link === null) return null;
  return (
    <div>
      <CopyLine label={t('account.money.referral')} text={link} />
      {joined !== null && <p className={styles.small}>{formatJoinedCount(joined)}</p>}
    </div>
  );
};

export const BillingSection = () => (
  <SettingsSection title={t('account.money.title')}>
    <InvoiceList />
    <PromoCodeForm />
    <ReferralLink />
  </SettingsSection>
);
