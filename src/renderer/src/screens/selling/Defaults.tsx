import { siteCurrencies } from '../../../../contract/currency.ts';
import { t } from '../../i18n.ts';
import { listCountries, parseCentsInput, getSiteCountryName } from '../../components/text/format.ts';
import { getWeightUnits } from '../../../../i18n/weights.ts';
import { formatWeightUnits } from '../../components/text/packedWeight.ts';
import { type FormField, type FormValues, useFormDraft, useRecordForm } from './useRecordForm.ts';
import { type FieldGroup, RecordFormView } from './RecordFormView.tsx';
import { flattenRecordFacts, type UnknownRecord } from '../../api/unknownRecord.ts';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { ServiceFactList, QueryResultView, SellingSection } from './Section.tsx';
import { useSetupChangeRequest, useSellerDefaults } from './useSelling.ts';
import styles from './selling.module.css';

export const listSiteChoices = () => [
  { value: '', label: t('selling.form.none') },
  ...Object.keys(siteCurrencies).map((site) => ({ value: site, label: getSiteCountryName(site) })),
];

const listCountryChoices = () => [{ value: '', label: t('selling.form.none') }, ...listCountries()];

export const listFormatChoices = () => [
  { value: '', label: t('selling.form.none') },
  { value: 'FIXED_PRICE', label: t('selling.defaults.fixed') },
  { value: 'AUCTION', label: t('selling.defaults.auction') },
];

export const createWeightField = (site: string): FormField => {
  const units = getWeightUnits(site);
  return {
    path: 'packageWeightGrams',
    kind: 'weight',
    label: `${t('review.weight')} (${formatWeightUnits(units)})`,
    units,
  };
};

type DefaultsLabelKey =
  'country' | 'postcode' | 'city' | 'handling' | 'inline' | 'accepted' | 'days' | 'site' | 'format' | 'offersOn';

const listDefaultsGroups = (site: string): FieldGroup[] => {
  const currency = siteCurrencies[site] ?? t('parts.currencyOfSite');
  const translateDefaultsLabel = (key: DefaultsLabelKey) => t(`selling.defaults.${key}`);
  return [
    {
      title: t('selling.defaults.place'),
      fields: [
        {
          path: 'location.country',
          kind: 'choice',
          label: translateDefaultsLabel('country'),
          choices: listCountryChoices(),
        },
        { path: 'location.postalCode', kind: 'text', label: translateDefaultsLabel('postcode') },
        { path: 'location.city', kind: 'text', label: translateDefaultsLabel('city') },
      ],
    },
    {
      title: t('selling.defaults.shipping'),
      fields: [
        { path: 'shipping.handlingDays', kind: 'whole', label: translateDefaultsLabel('handling'), from: 0, to: 30 },
        {
          path: 'shipping.inline',
          kind: 'yesNo',
          label: translateDefaultsLabel('inline'),
          help: t('selling.defaults.inlineHelp'),
        },
      ],
    },
    {
      title: t('selling.defaults.returns'),
      fields: [
        { path: 'returns.accepted', kind: 'yesNo', label: translateDefaultsLabel('accepted') },
        { path: 'returns.days', kind: 'whole', label: translateDefaultsLabel('days'), from: 0, to: 365 },
      ],
    },
    {
      title: t('selling.defaults.listings'),
      fields: [
        { path: 'marketplaceId', kind: 'choice', label: translateDefaultsLabel('site'), choices: listSiteChoices() },
        { path: 'format', kind: 'choice', label: translateDefaultsLabel('format'), choices: listFormatChoices() },
        createWeightField(site),
      ],
    },
    {
      title: t('selling.defaults.offers'),
      fields: [
        { path: 'bestOffer.enabled', kind: 'yesNo', label: translateDefaultsLabel('offersOn') },
        { path: 'bestOffer.autoAcceptCents', kind: 'cents', label: t('selling.defaults.accept', { currency }) },
        { path: 'bestOffer.autoDeclineCents', kind: 'cents', label: t('selling.defaults.decline', { currency }) },
      ],
    },
  ];
};

const findDefaultsProblem = (values: FormValues): { path: string; words: string } | null => {
  const getFieldText = (path: string): string => (values[path] ?? '').trim();
  const country = getFieldText('location.country');
  if ((country === '') !== (getFieldText('location.postalCode') === ''))
    return {
      path: country === '' ? 'location.country' : 'location.postalCode',
      words: t('selling.defaults.placeWhole'),
    };
  const accept = parseCentsInput(getFieldText('bestOffer.autoAcceptCents'));
  const decline = parseCentsInput(getFieldText('bestOffer.autoDeclineCents'));
  return accept !== null && decline !== null && decline >= accept
    ? { path: 'bestOffer.autoDeclineCents', words: t('selling.defaults.offersWrong') }
    : null;
};

const ignoreSaved = (): void => undefined;

const SellerDefaultsForm = ({ record }: { record: UnknownRecord }) => {
  const saved = typeof record['marketplaceId'] === 'string' ? record['marketplaceId'] : '';
  const site = useFormDraft('defaults').draft?.values['marketplaceId'] ?? saved;
  const groups = listDefaultsGroups(site);
  const fields = groups.flatMap((group) => group.fields);
  const form = useRecordForm('defaults', fields, record, ignoreSaved);
  const ask = useSetupChangeRequest();
  const rest = flattenRecordFacts(
    record,
    fields.map(({ path }) => path),
  );
  const requestSaveDefaults = (): void =>
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
        wrongTogether={findDefaultsProblem(form.values)}
        save={t('selling.defaults.save')}
        busy={ask.isPending}
        onSave={requestSaveDefaults}
      />
      <ErrorLine error={ask.error} />
      {rest.length > 0 && (
        <div>
          <p className={styles.soft}>{t('selling.form.alsoSet')}</p>
          <ServiceFactList facts={rest} site={saved} />
        </div>
      )}
    </>
  );
};

export const SellerDefaultsSection = () => (
  <SellingSection id="selling-defaults" title={t('selling.defaults.title')} text={t('selling.defaults.text')}>
    <QueryResultView of={useSellerDefaults()} rows={10}>
      {(record) => <SellerDefaultsForm record={record} />}
    </QueryResultView>
  </SellingSection>
);
