import { NativeSelect, Button } from '@mantine/core';
import { sentenceOf, read } from '../../api/call.ts';
import { useAppState, useSaveSettings } from '../../api/queries.ts';
import { t } from '../../i18n.ts';
import { ProblemLine } from '../../components/Page.tsx';
import { escapedText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import { type Account, type Budget, missingIn, pageIn, type Missing, type Status } from './answers.ts';
import { QueryResult, goTo, Section, FactList } from './Section.tsx';
import { useAccounts, useBudgets, useStatus, useAskSetup } from './useSelling.ts';
import { fieldLabel, isUnknownRecord, textOf } from '../../api/unknownRecord.ts';
import { quotas, type Quota } from '../../../../contract/index.ts';
import styles from './selling.module.css';
import { formatNumber, nameSites, regionName } from '../../components/text/format.ts';
import { IconAlertTriangle, IconCircle, IconCircleCheck, IconPlugConnectedX } from '@tabler/icons-react';
import { Trans } from 'react-i18next';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { SignInPage } from './SignInPage.tsx';

const Choice = ({ accounts }: { accounts: readonly Account[] }) => {
  const chosen = useAppState().data?.settings.marketAccountId ?? null;
  const save = useSaveSettings();
  // A single account needs no choice; a chosen account that no longer exists must still be replaceable.
  const gone = chosen !== null && !accounts.some(({ id }) => id === chosen);
  if (accounts.length < 2 && !gone) return null;
  return (
    <>
      <NativeSelect
        maw={360}
        label={t('selling.market.newListings')}
        description={t('selling.market.newListingsHelp')}
        value={chosen ?? ''}
        onChange={(event) => save.mutate({ marketAccountId: event.currentTarget.value || null })}
        data={[
          { value: '', label: t('selling.market.asService') },
          ...accounts.map(({ id, name }) => ({ value: id, label: escapedText(name) })),
          ...(gone ? [{ value: chosen, label: chosen }] : []),
        ]}
      />
      {save.error && <ProblemLine>{sentenceOf(save.error)}</ProblemLine>}
    </>
  );
};

const Accounts = () => (
  <QueryResult of={useAccounts()} rows={1}>
    {(accounts) => <Choice accounts={accounts} />}
  </QueryResult>
);

const isQuota = (name: string): name is Quota => quotas.some((quota) => quota === name);

const nameOf = (quota: string): string =>
  isQuota(quota) ? t(`selling.budgets.quota.${quota}`) : escapedText(fieldLabel(quota));

const budgetText = ({ quota, remaining, limit }: Budget): string =>
  limit === null
    ? t('selling.budgets.bare', { name: nameOf(quota), left: formatNumber(remaining) })
    : t('selling.budgets.one', { name: nameOf(quota), left: formatNumber(remaining), of: formatNumber(limit) });

const isLow = ({ remaining, limit }: Budget): boolean => remaining <= (limit ?? 0) / 10;

/** The rest of the marketplace's daily budgets; empty if unknown. */
const Budgets = () => {
  const { data: budgets, isPending } = useBudgets();
  if (isPending) return <div className={styles.coming} style={{ height: 40 }} />;
  if (!budgets || budgets.length === 0) return null;
  return (
    <p className={styles.budgets} aria-label={t('selling.budgets.title')}>
      {t('selling.budgets.lead')}{' '}
      {budgets.map((budget) => (
        <span key={budget.quota} data-look={isLow(budget) || undefined}>
          {budgetText(budget)}
          {isLow(budget) && ` (${t('selling.budgets.low')})`}
        </span>
      ))}
      <span>{t('selling.budgets.resets')}</span>
    </p>
  );
};

const stateOf = ({ connected, ready }: Status) => {
  if (!connected) return { words: t('selling.market.off'), Sign: IconPlugConnectedX, look: true };
  if (ready === true) return { words: t('selling.market.ready'), Sign: IconCircleCheck, look: false };
  return ready === false
    ? { words: t('selling.market.connected'), Sign: IconAlertTriangle, look: true }
    : { words: t('selling.market.unknown'), Sign: IconCircleCheck, look: false };
};

type Step = { name: string; isDone: boolean; act?: { label: string; to: string } };

/** Returns the steps before the first publish, in order. */
const stepsOf = ({ connected }: Status, missing: readonly Missing[]): Step[] => {
  const lacks = (about: Missing['about']): boolean => missing.some((one) => one.about === about);
  const steps: Step[] = [{ name: t('selling.steps.connection'), isDone: connected && !lacks('connection') }];
  const policies = { label: t('selling.market.toPolicies'), to: 'selling-policies' };
  const place = { label: t('selling.market.toLocation'), to: 'selling-defaults' };
  steps.push({ name: t('selling.steps.policies'), isDone: connected && !lacks('policies'), act: policies });
  steps.push({ name: t('selling.steps.location'), isDone: !lacks('location'), act: place });
  return steps;
};

const StepRow = ({ step: { name, isDone, act }, isNext }: { step: Step; isNext: boolean }) => {
  const Sign = isDone ? IconCircleCheck : IconCircle;
  return (
    <li data-done={isDone || undefined} data-next={isNext || undefined} aria-current={isNext ? 'step' : undefined}>
      <Sign size={20} stroke={1.75} aria-hidden />
      <span>
        {name}
        {isDone && <i>{t('selling.steps.done')}</i>}
      </span>
      {!isDone && act && (
        <Button size="compact-sm" onClick={() => goTo(act.to)}>
          {act.label}
        </Button>
      )}
    </li>
  );
};

const Steps = ({ status, missing }: { status: Status; missing: readonly Missing[] }) => {
  const steps = stepsOf(status, missing);
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <>
      <ol className={styles.steps} aria-label={t('selling.steps.title')}>
        {steps.map((step) => (
          <StepRow key={step.name} step={step} isNext={step === next} />
        ))}
      </ol>
      <ul className={styles.missing} aria-label={t('selling.market.missing')}>
        {missing
          .filter(({ about }) => about === 'other')
          .map(({ sentence }) => (
            <li key={sentence}>
              <UntrustedText text={nameSites(sentence)} />
            </li>
          ))}
      </ul>
    </>
  );
};

const agreedSites = (status: Status): string[] => {
  const notice = status['feeNotice'];
  const sites = isUnknownRecord(notice) ? notice['confirmedSites'] : null;
  return Array.isArray(sites) ? sites.filter((site) => typeof site === 'string') : [];
};

const About = ({ status }: { status: Status }) => {
  const account = isUnknownRecord(status['account']) ? textOf(status['account'], 'name', 'marketAccountId') : null;
  const sites = agreedSites(status);
  const { marketplaceId: site } = status;
  const facts: [string, string][] = [];
  if (account) facts.push([t('selling.market.account'), account]);
  if (site) facts.push([t('selling.market.site'), regionName(site)]);
  if (sites.length > 0) facts.push([t('selling.market.notices'), sites.map(regionName).join(', ')]);
  return <FactList facts={facts} />;
};

type Shown = { status: Status; looking: boolean; onLook: () => void };

const Acts = ({ status, signIn, looking, onLook }: Shown & { signIn: boolean }) => {
  const ask = useAskSetup();
  const acknowledgedAt = textOf(status, 'acknowledgedAt');
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
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
    </>
  );
};

const Standing = ({ status, looking, onLook }: Shown) => {
  const { words, Sign, look } = stateOf(status);
  const missing = missingIn(status);
  const signIn = !status.connected || missing.some(({ about }) => about === 'connection');
  return (
    <>
      <p className={styles.state} data-look={look || undefined} role="status">
        <Sign size={20} stroke={1.75} aria-hidden />
        <b>{words}</b>
      </p>
      {!status.connected && <p>{t('selling.market.offText')}</p>}
      <Steps status={status} missing={missing} />
      {signIn && (
        <SignInPage
          ask={t('selling.market.signIn')}
          open={t('selling.market.open')}
          read={async () => pageIn(await read('readMarketAuthUrl', {}))}
          onLook={onLook}
          busy={looking}
          main
        />
      )}
      <About status={status} />
      {status.connected && <Accounts />}
      <Acts status={status} signIn={signIn} looking={looking} onLook={onLook} />
    </>
  );
};

/** Whether the marketplace is connected and ready, and what is missing. */
export const Market = () => {
  const status = useStatus();
  return (
    <Section id="selling-market" title={t('selling.market.title')}>
      <QueryResult of={status} rows={4}>
        {(data) => <Standing status={data} looking={status.isFetching} onLook={() => void status.refetch()} />}
      </QueryResult>
      <Budgets />
    </Section>
  );
};
