import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { sentenceOf, read } from '../../api/call.ts';
import { CopyLine } from '../../components/CopyLine.tsx';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { locale } from '../../i18n/locale.ts';
import { Invoices } from './Invoices.tsx';
import { promoIn, type PromoCode } from './answers.ts';
import { useReferral } from './useAccount.ts';
import { t } from '../../i18n/t.ts';
import styles from '../settings/settings.module.css';
import own from './account.module.css';

const promoWords = (promo: PromoCode | null): string => {
  if (promo === null) return t('account.unknown');
  if (!promo.valid) return t('account.money.invalid');
  if (promo.percentOff === null) return t('account.money.valid');
  const percent = new Intl.NumberFormat(locale(), { style: 'percent' }).format(promo.percentOff / 100);
  return t('account.money.validOff', { percent });
};

/** A code that the person was given: whether it is valid. Only what is typed here is ever asked about. */
const Promo = () => {
  const check = useMutation({
    mutationFn: async (given: string) => promoIn(await read('checkPromoCode', { body: { code: given } })),
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
        {check.data !== undefined && promoWords(check.data)}
      </span>
      {check.error && <ProblemLine>{sentenceOf(check.error)}</ProblemLine>}
    </form>
  );
};

const joinedWords = (count: number): string =>
  count === 0 ? t('account.money.joinedNone') : t('account.money.joined', { count });

const Referral = () => {
  const { link, joined } = useReferral().data ?? { link: null, joined: null };
  if (link === null) return null;
  return (
    <div>
      <CopyLine label={t('account.money.referral')} text={link} />
      {joined !== null && <p className={styles.small}>{joinedWords(joined)}</p>}
    </div>
  );
};

/** Invoices when they are wanted, a code to look at, and the link to give to others. */
export const MoneyMatters = () => (
  <section aria-label={t('account.money.title')} className={styles.plan}>
    <h2>{t('account.money.title')}</h2>
    <Invoices />
    <Promo />
    <Referral />
  </section>
);
