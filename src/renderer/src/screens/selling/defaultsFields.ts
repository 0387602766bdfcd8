import { siteCurrencies } from '../../../../contract/index.ts';
import { regionName } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { textToCents } from '../../components/text/format.ts';
import type { Values } from './fields.ts';
import type { Group } from './Form.tsx';

/** The sites to choose from, the first of them none. */
export const siteChoices = () => [
  { value: '', label: t('selling.form.none') },
  ...Object.keys(siteCurrencies).map((site) => ({ value: site, label: regionName(site) })),
];

export const formatChoices = () => [
  { value: '', label: t('selling.form.none') },
  { value: 'FIXED_PRICE', label: t('selling.defaults.fixed') },
  { value: 'AUCTION', label: t('selling.defaults.auction') },
];

export const weightBounds = { from: 1, to: 1_000_000 } as const;

/** The fields of the seller's defaults; prices are in the currency of the site. */
export const defaultsGroups = (site: string): Group[] => {
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
        { path: 'location.country', kind: 'code', label: d('country'), help: t('selling.defaults.countryHelp') },
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

/** What several fields of the defaults say together and cannot mean. */
export const wrongDefaults = (values: Values): { path: string; words: string } | null => {
  const of = (path: string): string => (values[path] ?? '').trim();
  const country = of('location.country');
  if (country !== '' && !/^[A-Za-z]{2}$/.test(country))
    return { path: 'location.country', words: t('selling.defaults.countryWrong') };
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
