import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { siteCurrencies } from '../../../../contract/currency.ts';
import { sentenceOf } from '../../api/call.ts';
import { usePolicies } from '../../api/queries.ts';
import { t } from '../../i18n.ts';
import { ProblemLine, Page } from '../../components/Page.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { policiesIn, policyKinds, type Policies as Found, type PolicyKind } from '../approvals/fix/policies.ts';
import { QueryResult, Section } from './Section.tsx';
import { useAskSetup, useStatus } from './useSelling.ts';
import styles from './selling.module.css';
import { regionName } from '../../components/text/format.ts';
import { Channels } from './Channels.tsx';
import { Defaults } from './Defaults.tsx';
import { Market } from './Market.tsx';
import { Templates } from './Templates.tsx';

const siteName = (site: string): string => (site === '' ? t('selling.policies.noSite') : regionName(site));

const sitesIn = (found: Found, home: string | null): string[] => {
  const sites = policyKinds.flatMap((kind) => found[kind].map(({ site }) => site ?? ''));
  return [...new Set([...(home === null ? [] : [home]), ...sites])];
};

const Kind = ({ found, site, kind }: { found: Found; site: string; kind: PolicyKind }) => {
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

const OfSite = ({ found, site }: { found: Found; site: string }) => (
  <div>
    <h3>{siteName(site)}</h3>
    <dl className={styles.facts}>
      {policyKinds.map((kind) => (
        <Kind key={kind} found={found} site={site} kind={kind} />
      ))}
    </dl>
  </div>
);

/** Requests starter policies for a site; the home site is preselected. */
const Starter = ({ home }: { home: string | null }) => {
  const [site, setSite] = useState(home ?? 'MKT_US');
  const ask = useAskSetup();
  const sites = [...new Set([...(home === null ? [] : [home]), ...Object.keys(siteCurrencies)])];
  return (
    <div className={styles.aside}>
      <NativeSelect
        label={t('selling.policies.starterFor')}
        value={site}
        data={sites.map((one) => ({ value: one, label: regionName(one) }))}
        onChange={(event) => setSite(event.currentTarget.value)}
      />
      <Button
        loading={ask.isPending}
        onClick={() => ask.mutate({ route: 'bootstrapPolicies', input: { body: { marketplaceId: site } } })}
      >
        {t('selling.policies.starter')}
      </Button>
      <p className={styles.soft}>{t('selling.policies.starterHelp')}</p>
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
    </div>
  );
};

const Connected = ({ home }: { home: string | null }) => (
  <QueryResult of={usePolicies(null)} rows={4}>
    {(answer) => {
      const found = policiesIn(answer);
      const sites = sitesIn(found, home);
      return (
        <>
          {sites.length === 0 && <p>{t('selling.policies.none')}</p>}
          {sites.map((site) => (
            <OfSite key={site} found={found} site={site} />
          ))}
          <Starter key={home} home={home} />
        </>
      );
    }}
  </QueryResult>
);

/** The policies of the marketplace account by site. */
export const Policies = () => {
  const status = useStatus();
  return (
    <Section id="selling-policies" title={t('selling.policies.title')} text={t('selling.policies.text')}>
      <QueryResult of={status} rows={4}>
        {({ connected, marketplaceId }) =>
          connected ? <Connected home={marketplaceId ?? null} /> : <p>{t('selling.policies.later')}</p>
        }
      </QueryResult>
    </Section>
  );
};

export const SellingScreen = () => (
  <Page title={t('selling.title')}>
    <Market />
    <Policies />
    <Defaults />
    <Templates />
    <Channels />
  </Page>
);
