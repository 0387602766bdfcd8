import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { siteCurrencies } from '../../../../contract/currency.ts';
import { useSitePolicies } from '../../api/queries.ts';
import { t } from '../../i18n.ts';
import { ErrorLine, SectionsPage } from '../../components/ScreenPage.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import {
  groupPoliciesByKind,
  policyKinds,
  type Policies as Found,
  type PolicyKind,
} from '../approvals/fix/policies.ts';
import { QueryResultView, SellingSection } from './Section.tsx';
import { useSetupChangeRequest, useMarketStatus } from './useSelling.ts';
import styles from './selling.module.css';
import { getSiteCountryName } from '../../components/text/format.ts';
import { SellingChannelsSection } from './Channels.tsx';
import { SellerDefaultsSection } from './Defaults.tsx';
import { MarketSection } from './Market.tsx';
import { TemplatesSection } from './Templates.tsx';

const formatSiteName = (site: string): string =>
  site === '' ? t('selling.policies.noSite') : getSiteCountryName(site);

const listPolicySites = (found: Found, home: string | null): string[] => {
  const sites = policyKinds.flatMap((kind) => found[kind].map(({ site }) => site ?? ''));
  return [...new Set([...(home === null ? [] : [home]), ...sites])];
};

const PolicyKindRow = ({ found, site, kind }: { found: Found; site: string; kind: PolicyKind }) => {
  const policies = found[kind].filter((policy) => (policy.site ?? '') === site);
  return (
    <div>
      <dt>{t(`selling.policies.${kind}`)}</dt>
      <dd>
        {policies.length === 0 && <i>{t('selling.policies.lacking')}</i>}
        {policies.map(({ policyId, name }) => (
          <div key={policyId}>
            <UntrustedText text={name} fold={120} />
          </div>
        ))}
      </dd>
    </div>
  );
};

const SitePolicies = ({ found, site }: { found: Found; site: string }) => (
  <div>
    <h3>{formatSiteName(site)}</h3>
    <dl className={styles.facts}>
      {policyKinds.map((kind) => (
        <PolicyKindRow key={kind} found={found} site={site} kind={kind} />
      ))}
    </dl>
  </div>
);

const StarterPoliciesForm = ({ home }: { home: string | null }) => {
  const [site, setSite] = useState(home ?? 'MKT_US');
  const ask = useSetupChangeRequest();
  const sites = [...new Set([...(home === null ? [] : [home]), ...Object.keys(siteCurrencies)])];
  return (
    <div className={styles.aside}>
      <NativeSelect
        label={t('selling.policies.starterFor')}
        value={site}
        data={sites.map((option) => ({ value: option, label: getSiteCountryName(option) }))}
        onChange={(event) => setSite(event.currentTarget.value)}
      />
      <Button
        loading={ask.isPending}
        onClick={() => ask.mutate({ route: 'bootstrapPolicies', input: { body: { marketplaceId: site } } })}
      >
        {t('selling.policies.starter')}
      </Button>
      <p className={styles.soft}>{t('selling.policies.starterHelp')}</p>
      <ErrorLine error={ask.error} />
    </div>
  );
};

const ConnectedAccountPolicies = ({ home }: { home: string | null }) => (
  <QueryResultView of={useSitePolicies(null)} rows={4}>
    {(answer) => {
      const found = groupPoliciesByKind(answer);
      const sites = listPolicySites(found, home);
      return (
        <>
          {sites.length === 0 && <p>{t('selling.policies.none')}</p>}
          {sites.map((site) => (
            <SitePolicies key={site} found={found} site={site} />
          ))}
          <StarterPoliciesForm key={home} home={home} />
        </>
      );
    }}
  </QueryResultView>
);

export const SellingPoliciesSection = () => {
  const status = useMarketStatus();
  return (
    <SellingSection id="selling-policies" title={t('selling.policies.title')} text={t('selling.policies.text')}>
      <QueryResultView of={status} rows={4}>
        {({ connected, marketplaceId }) =>
          connected ? <ConnectedAccountPolicies home={marketplaceId ?? null} /> : <p>{t('selling.policies.later')}</p>
        }
      </QueryResultView>
    </SellingSection>
  );
};

export const SellingScreen = () => (
  <SectionsPage title={t('selling.title')}>
    <MarketSection />
    <SellingPoliciesSection />
    <SellerDefaultsSection />
    <TemplatesSection />
    <SellingChannelsSection />
  </SectionsPage>
);
