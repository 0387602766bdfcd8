import { NativeSelect, Button } from '@mantine/core';
import { readServiceAnswer } from '../../api/call.ts';
import { useAppState, useSaveSettings } from '../../api/queries.ts';
import { t } from '../../i18n.ts';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { escapeHiddenText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import {
  type ChannelAccount,
  type QuotaBudget,
  parseMissingSteps,
  parsePageUrl,
  type MissingStep,
  type MarketStatus,
} from './answers.ts';
import { QueryResultView, scrollToSection, SellingSection, ForeignFactList } from './Section.tsx';
import { useMarketAccounts, useQuotaBudgets, useMarketStatus, useSetupChangeRequest } from './useSelling.ts';
import { formatFieldLabel, isUnknownRecord, findTextField } from '../../api/unknownRecord.ts';
import { quotas, type Quota } from '../../../../contract/index.ts';
import styles from './selling.module.css';
import { formatNumber, replaceSiteNames, getSiteCountryName } from '../../components/text/format.ts';
import { IconAlertTriangle, IconCircle, IconCircleCheck, IconPlugConnectedX } from '@tabler/icons-react';
import { Trans } from 'react-i18next';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { SignInPageSection } from './SignInPage.tsx';

const MarketAccountChoice = ({ accounts }: { accounts: readonly ChannelAccount[] }) => {
  const chosen = useAppState().data?.settings.marketAccountId ?? null;
  const save = useSaveSettings();
  // A single account needs no choice, unless the chosen account no longer exists.
  const gone = chosen !== null && !accounts.some(({ id }) => id === chosen);
  if (accounts.length < 2 && !gone) return null;
  return (
    <>
      <NativeSelect
        label={t('selling.market.newListings')}
        description={t('selling.market.newListingsHelp')}
        value={chosen ?? ''}
        onChange={(event) => save.mutate({ marketAccountId: event.currentTarget.value || null })}
        data={[
          { value: '', label: t('selling.market.asService') },
          ...accounts.map(({ id, name }) => ({ value: id, label: escapeHiddenText(name) })),
          ...(gone ? [{ value: chosen, label: chosen }] : []),
        ]}
      />
      <ErrorLine error={save.error} />
    </>
  );
};

const MarketAccountsSection = () => (
  <QueryResultView of={useMarketAccounts()} rows={1}>
    {(accounts) => <MarketAccountChoice accounts={accounts} />}
  </QueryResultView>
);

const isKnownQuota = (name: string): name is Quota => quotas.some((quota) => quota === name);

const formatQuotaName = (quota: string): string =>
  isKnownQuota(quota) ? t(`selling.budgets.quota.${quota}`) : escapeHiddenText(formatFieldLabel(quota));

const formatQuotaBudget = ({ quota, remaining, limit }: QuotaBudget): string =>
  limit === null
    ? t('selling.budgets.bare', { name: formatQuotaName(quota), left: formatNumber(remaining) })
    : t('selling.budgets.one', {
        name: formatQuotaName(quota),
        left: formatNumber(remaining),
        of: formatNumber(limit),
      });

const isBudgetLow = ({ remaining, limit }: QuotaBudget): boolean => remaining <= (limit ?? 0) / 10;

const QuotaBudgetList = ({ budgets }: { budgets: readonly QuotaBudget[] }) => (
  <p className={styles.budgets} aria-label={t('selling.budgets.title')}>
    {t('selling.budgets.lead')}{' '}
    {budgets.map((budget) => (
      <span key={budget.quota} data-look={isBudgetLow(budget) || undefined}>
        {formatQuotaBudget(budget)}
        {isBudgetLow(budget) && ` (${t('selling.budgets.low')})`}
      </span>
    ))}
    <span>{t('selling.budgets.resets')}</span>
  </p>
);

/** A budget that is almost used up is visible without opening the details. */
const QuotaBudgetsLine = () => {
  const { data: budgets, isPending } = useQuotaBudgets();
  if (isPending) return <div className={styles.coming} style={{ height: 24 }} />;
  if (!budgets || budgets.length === 0) return null;
  const low = budgets.filter(isBudgetLow);
  return (
    <div>
      {low.length > 0 && <QuotaBudgetList budgets={low} />}
      <details className={styles.budgets}>
        <summary>{t('selling.budgets.details')}</summary>
        <QuotaBudgetList budgets={budgets} />
      </details>
    </div>
  );
};

const describeMarketState = ({ connected, ready }: MarketStatus) => {
  if (!connected) return { words: t('selling.market.off'), Sign: IconPlugConnectedX, look: true };
  if (ready === true) return { words: t('selling.market.ready'), Sign: IconCircleCheck, look: false };
  return ready === false
    ? { words: t('selling.market.connected'), Sign: IconAlertTriangle, look: true }
    : { words: t('selling.market.unknown'), Sign: IconCircleCheck, look: false };
};

type SetupStep = { name: string; isDone: boolean; act?: { label: string; to: string } };

const listSetupSteps = ({ connected }: MarketStatus, missing: readonly MissingStep[]): SetupStep[] => {
  const isTopicMissing = (about: MissingStep['about']): boolean => missing.some((entry) => entry.about === about);
  const steps: SetupStep[] = [
    { name: t('selling.steps.connection'), isDone: connected && !isTopicMissing('connection') },
  ];
  const policies = { label: t('selling.market.toPolicies'), to: 'selling-policies' };
  const place = { label: t('selling.market.toLocation'), to: 'selling-defaults' };
  steps.push({ name: t('selling.steps.policies'), isDone: connected && !isTopicMissing('policies'), act: policies });
  steps.push({ name: t('selling.steps.location'), isDone: !isTopicMissing('location'), act: place });
  return steps;
};

const SetupStepRow = ({ step: { name, isDone, act }, isNext }: { step: SetupStep; isNext: boolean }) => {
  const Sign = isDone ? IconCircleCheck : IconCircle;
  return (
    <li data-done={isDone || undefined} data-next={isNext || undefined} aria-current={isNext ? 'step' : undefined}>
      <Sign size={20} stroke={1.75} aria-hidden />
      <span>
        {name}
        {isDone && <i>{t('selling.steps.done')}</i>}
      </span>
      {!isDone && act && (
        <Button size="compact-sm" onClick={() => scrollToSection(act.to)}>
          {act.label}
        </Button>
      )}
    </li>
  );
};

const SetupStepList = ({ status, missing }: { status: MarketStatus; missing: readonly MissingStep[] }) => {
  const steps = listSetupSteps(status, missing);
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <>
      <ol className={styles.steps} aria-label={t('selling.steps.title')}>
        {steps.map((step) => (
          <SetupStepRow key={step.name} step={step} isNext={step === next} />
        ))}
      </ol>
      <ul className={styles.missing} aria-label={t('selling.market.missing')}>
        {missing
          .filter(({ about }) => about === 'other')
          .map(({ sentence }) => (
            <li key={sentence}>
              <UntrustedText text={replaceSiteNames(sentence)} />
            </li>
          ))}
      </ul>
    </>
  );
};

const listSitesWithConfirmedNotice = (status: MarketStatus): string[] => {
  const notice = status['feeNotice'];
  const sites = isUnknownRecord(notice) ? notice['confirmedSites'] : null;
  return Array.isArray(sites) ? sites.filter((site) => typeof site === 'string') : [];
};

const MarketAccountFacts = ({ status }: { status: MarketStatus }) => {
  const account = isUnknownRecord(status['account'])
    ? findTextField(status['account'], 'name', 'marketAccountId')
    : null;
  const sites = listSitesWithConfirmedNotice(status);
  const { marketplaceId: site } = status;
  const facts: [string, string][] = [];
  if (account) facts.push([t('selling.market.account'), account]);
  if (site) facts.push([t('selling.market.site'), getSiteCountryName(site)]);
  if (sites.length > 0) facts.push([t('selling.market.notices'), sites.map(getSiteCountryName).join(', ')]);
  return <ForeignFactList facts={facts} />;
};

type MarketStatusProps = { status: MarketStatus; looking: boolean; onLook: () => void };

const MarketAccountActions = ({ status, signIn, looking, onLook }: MarketStatusProps & { signIn: boolean }) => {
  const ask = useSetupChangeRequest();
  const acknowledgedAt = findTextField(status, 'acknowledgedAt');
  return (
    <>
      <div className={styles.line}>
        {!signIn && (
          <Button loading={looking} onClick={onLook}>
            {t('selling.page.look')}
          </Button>
        )}
        {status.connected && acknowledgedAt === null && (
          <Button loading={ask.isPending} onClick={() => ask.mutate({ route: 'acknowledgeReadiness', input: {} })}>
            {t('selling.market.acknowledge')}
          </Button>
        )}
        {status.connected && (
          <Button
            variant="quiet"
            loading={ask.isPending}
            onClick={() => ask.mutate({ route: 'disconnectMarket', input: {} })}
          >
            {t('selling.market.disconnect')}
          </Button>
        )}
      </div>
      {acknowledgedAt !== null && !Number.isNaN(Date.parse(acknowledgedAt)) && (
        <p className={styles.soft}>
          <Trans
            i18nKey="selling.market.acknowledged"
            components={{ when: <RelativeTime at={Date.parse(acknowledgedAt)} /> }}
          />
        </p>
      )}
      <ErrorLine error={ask.error} />
    </>
  );
};

const MarketStatusView = ({ status, looking, onLook }: MarketStatusProps) => {
  const { words, Sign, look } = describeMarketState(status);
  const missing = parseMissingSteps(status);
  const signIn = !status.connected || missing.some(({ about }) => about === 'connection');
  return (
    <>
      <p className={styles.state} data-look={look || undefined} role="status">
        <Sign size={20} stroke={1.75} aria-hidden />
        <b>{words}</b>
      </p>
      {!status.connected && <p>{t('selling.market.offText')}</p>}
      <SetupStepList status={status} missing={missing} />
      {signIn && (
        <SignInPageSection
          ask={t('selling.market.signIn')}
          open={t('selling.market.open')}
          read={async () => parsePageUrl(await readServiceAnswer('readMarketAuthUrl', {}))}
          onLook={onLook}
          busy={looking}
          main
        />
      )}
      <MarketAccountFacts status={status} />
      {status.connected && <MarketAccountsSection />}
      <MarketAccountActions status={status} signIn={signIn} looking={looking} onLook={onLook} />
    </>
  );
};

export const MarketSection = () => {
  const status = useMarketStatus();
  return (
    <SellingSection id="selling-market" title={t('selling.market.title')}>
      <QueryResultView of={status} rows={4}>
        {(data) => <MarketStatusView status={data} looking={status.isFetching} onLook={() => void status.refetch()} />}
      </QueryResultView>
      <QuotaBudgetsLine />
    </SellingSection>
  );
};
