import { t } from '../../i18n/t.ts';
import { Page } from '../../components/Page.tsx';
import { Channels } from './Channels.tsx';
import { Defaults } from './Defaults.tsx';
import { Market } from './Market.tsx';
import { Policies } from './Policies.tsx';
import { Templates } from './Templates.tsx';

/** What listings begin with: the marketplace account, policies, defaults, templates, and other channels. */
export const SellingScreen = () => (
  <Page title={t('selling.title')}>
    <Market />
    <Policies />
    <Defaults />
    <Templates />
    <Channels />
  </Page>
);
