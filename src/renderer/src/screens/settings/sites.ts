import { siteCurrencies } from '../../../../contract/index.ts';
import { regionName } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';

/** The choices of the site setting; the first leaves it to the service. Any other site comes with its own listings. */
export const siteChoices = () => [
  { value: '', label: t('settings.siteService') },
  ...Object.keys(siteCurrencies).map((site) => ({ value: site, label: `${regionName(site)} (${site})` })),
];
