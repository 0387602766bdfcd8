import { siteCurrencies } from '../../../../contract/currency.ts';
import { t } from '../../i18n.ts';
import { countries, textToCents, regionName } from '../../components/text/format.ts';
import { type Values, useDraft, useRecordForm } from './useRecordForm.ts';
import { type Group, RecordFormView } from './RecordFormView.tsx';
import { sentenceOf } from '../../api/call.ts';
import { factsIn, type UnknownRecord } from '../../api/unknownRecord.ts';
import { ProblemLine } from '../../components/Page.tsx';
import { ServiceFacts, QueryResult, Section } from './Section.tsx';
import { useAskSetup, useDefaults } from './useSelling.ts';
import styles from './selling.module.css';

export const siteChoices = () => [
  { value: '', label: t('selling.form.none') },
  ...Object.keys(siteCurrencies).map((site) => ({ value: site, label: regionName(site) })),
];

const countryChoices = () => [{ value: '', label: t('selling.form.none') }, ...countries()];

export const formatChoices = () => [
  { value: '', label: t('selling.form.none') },
  { value: 'FIXED_PRICE', label: t('selling.defaults.fixed') },
  { value: 'AUCTION', label: t('selling.defaults.auction') },
];

export const weightBounds = { from: 1, to: 1_000_000 } as const;

/** Returns the fields of the seller defaults; prices are in the currency of the site. */
const defaultsGroups = (site: string): Group[] => {
  const currency = siteCurrencies[site] ?? t('parts.currencyOfSite');
  const d = (
    key:
      | 'country'
      | 'postcode'
      | 'city'
      | 'handling'
      | 'inline'
      | 'accepted'
      | 'days'
      | 'site'
      | 'format'
      | 'weight'
      | 'offersOn',
  ) => t(`selling.defaults.${key}`);
  return [
    {
      title: t('selling.defaults.place'),
      fields: [
        { path: 'location.country', kind: 'choice', label: d('country'), choices: countryChoices() },
        { path: 'location.postalCode', kind: 'text', label: d('postcode') },
        { path: 'location.city', kind: 'text', label: d('city') },
      ],
    },
    {
      title: t('selling.defaults.shipping'),
      fields: [
        { path: 'shipping.handlingDays', kind: 'whole', label: d('handling'), from: 0, to: 30 },
        { path: 'shipping.inline', kind: 'yesNo', label: d('inline'), help: t('selling.defaults.inlineHelp') },
      ],
    },
    {
      title: t('selling.defaults.returns'),
      fields: [
        { path: 'returns.accepted', kind: 'yesNo', label: d('accepted') },
        { path: 'returns.days', kind: 'whole', label: d('days'), from: 0, to: 365 },
      ],
    },
    {
      title: t('selling.defaults.listings'),
      fields: [
        { path: 'marketplaceId', kind: 'choice', label: d('site'), choices: siteChoices() },
        { path: 'format', kind: 'choice', label: d('format'), choices: formatChoices() },
        { path: 'packageWeightGrams', kind: 'whole', label: d('weight'), ...weightBounds },
      ],
    },
    {
      title: t('selling.defaults.offers'),
      fields: [
        { path: 'bestOffer.enabled', kind: 'yesNo', label: d('offersOn') },
        { path: 'bestOffer.autoAcceptCents', kind: 'cents', label: t('selling.defaults.accept', { currency }) },
        { path: 'bestOffer.autoDeclineCents', kind: 'cents', label: t('selling.defaults.decline', { currency }) },
      ],
    },
  ];
};

/** Returns a contradiction between several fields; null if there is none. */
const wrongDefaults = (values: Values): { path: string; words: string } | null => {
  const of = (path: string): string => (values[path] ?? '').trim();
  const country = of('location.country');
  if ((country === '') !== (of('location.postalCode') === ''))
    return {
      path: country === '' ? 'location.country' : 'location.postalCode',
      words: t('selling.defaults.placeWhole'),
    };
  const accept = textToCents(of('bestOffer.autoAcceptCents'));
  const decline = textToCents(of('bestOffer.autoDeclineCents'));
  return accept !== null && decline !== null && decline >= accept
    ? { path: 'bestOffer.autoDeclineCents', words: t('selling.defaults.offersWrong') }
    : null;
};

const nothing = (): void => undefined;

const Edit = ({ record }: { record: UnknownRecord }) => {
  const saved = typeof record['marketplaceId'] === 'string' ? record['marketplaceId'] : '';
  const site = useDraft('defaults').draft?.values['marketplaceId'] ?? saved;
  const groups = defaultsGroups(site);
  const fields = groups.flatMap((group) => group.fields);
  const form = useRecordForm('defaults', fields, record, nothing);
  const ask = useAskSetup();
  const rest = factsIn(
    record,
    fields.map(({ path }) => path),
  );
  const save = (): void =>
    ask.mutate(
      { route: 'updateSellerDefaults', input: { body: form.body() } },
      { onSuccess: (performed) => performed.state === 'pending' && form.asked(performed.approvalId) },
    );
  return (
    <>
      <RecordFormView
        name={t('selling.defaults.title')}
        form={form}
        groups={groups}
        wrongTogether={wrongDefaults(form.values)}
        save={t('selling.defaults.save')}
        busy={ask.isPending}
        onSave={save}
      />
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
      {rest.length > 0 && (
        <div>
          <p className={styles.soft}>{t('selling.form.alsoSet')}</p>
          <ServiceFacts facts={rest} site={saved} />
        </div>
      )}
    </>
  );
};

export const Defaults = () => (
  <Section id="selling-defaults" title={t('selling.defaults.title')} text={t('selling.defaults.text')}>
    <QueryResult of={useDefaults()} rows={10}>
      {(record) => <Edit record={record} />}
    </QueryResult>
  </Section>
);
