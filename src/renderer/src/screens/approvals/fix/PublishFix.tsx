import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useListingById, useSitePolicies } from '../../../api/queries.ts';
import { listCountries } from '../../../components/text/format.ts';
import { ErrorLine, ProblemLine } from '../../../components/ScreenPage.tsx';
import { escapeHiddenText, UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { groupPoliciesByKind, toPolicyBody, policyKinds, type PolicyKind } from './policies.ts';
import { type FixRequests, useFixRequests } from './useFixRequests.ts';
import { t } from '../../../i18n.ts';
import styles from './fix.module.css';
import { Trans } from 'react-i18next';
import { findPublishFix, type PublishRefusal, type Remedy } from '../../../../../contract/index.ts';
import { ListingConditionStep, PackageWeightStep, MarketSignInStep, WaitThenPublishStep } from './EditSteps.tsx';

type FixStepProps = { listingId: string; fix: FixRequests; label: string };

const StarterPoliciesStep = ({ listingId, fix, label }: FixStepProps) => {
  const site = useListingById(listingId).data?.marketplaceId;
  return (
    <Button loading={fix.busy} onClick={() => fix.ask('bootstrapPolicies', site ? { marketplaceId: site } : {})}>
      {label}…
    </Button>
  );
};

const ItemLocationStep = ({ fix }: Pick<FixStepProps, 'fix'>) => {
  const [country, setCountry] = useState('');
  const [postalCode, setPostalCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const submitItemLocation = (event: FormEvent): void => {
    event.preventDefault();
    if (country === '') return setWrong(t('approvals.fix.countryWrong'));
    if (postalCode.trim() === '') return setWrong(t('approvals.fix.postcodeWrong'));
    setWrong(null);
    fix.ask('updateSellerDefaults', { location: { country, postalCode: postalCode.trim() } });
  };
  return (
    <>
      <form className={styles.form} onSubmit={submitItemLocation}>
        <NativeSelect
          className={styles.short}
          label={t('approvals.fix.country')}
          data={[{ value: '', label: '' }, ...listCountries()]}
          value={country}
          onChange={(event) => setCountry(event.currentTarget.value)}
        />
        <TextInput
          className={styles.short}
          label={t('approvals.fix.postcode')}
          value={postalCode}
          onChange={(event) => setPostalCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={fix.busy}>
          {t('approvals.fix.saveLocation')}
        </Button>
      </form>
      {wrong && <ProblemLine>{wrong}</ProblemLine>}
    </>
  );
};

const ChoosePoliciesStep = ({ listingId, fix }: Omit<FixStepProps, 'label'>) => {
  const listing = useListingById(listingId).data;
  const { data, error } = useSitePolicies(listing?.marketplaceId ?? null);
  const [chosen, setChosen] = useState<Partial<Record<PolicyKind, string>>>({});
  const found = groupPoliciesByKind(data);
  const kinds = policyKinds.filter((kind) => found[kind].length > 0);
  const only = Object.fromEntries(
    kinds.map((kind) => [kind, found[kind].length === 1 ? found[kind][0]?.policyId : '']),
  );
  const all = { ...only, ...chosen };
  if (error) return <ErrorLine error={error} />;
  if (data && kinds.length === 0) return <p>{t('approvals.fix.noPolicies')}</p>;
  return (
    <div className={styles.policies}>
      {kinds.map((kind) => (
        <NativeSelect
          key={kind}
          label={t(`approvals.fix.${kind}`)}
          value={all[kind] ?? ''}
          onChange={(event) => setChosen({ ...chosen, [kind]: event.currentTarget.value })}
          data={[
            { value: '', label: t('approvals.fix.chooseOne') },
            ...found[kind].map(({ policyId, name }) => ({ value: policyId, label: escapeHiddenText(name) })),
          ]}
        />
      ))}
      <Button
        variant="ink"
        loading={fix.busy}
        disabled={kinds.length === 0 || kinds.some((kind) => !all[kind])}
        onClick={() => fix.publish(toPolicyBody(all))}
      >
        {t('approvals.fix.publishWith')}
      </Button>
    </div>
  );
};

type RemedyStepProps = { listingId: string; label: string; remedy: Remedy; fix: FixRequests; since: number | null };

const RemedyStep = ({ listingId, label, remedy, fix, since }: RemedyStepProps) => {
  switch (remedy.kind) {
    case 'edit':
      return remedy.field === 'condition' ? (
        <ListingConditionStep listingId={listingId} />
      ) : (
        <PackageWeightStep listingId={listingId} />
      );
    case 'ask':
      return remedy.route === 'bootstrapPolicies' ? (
        <StarterPoliciesStep listingId={listingId} fix={fix} label={label} />
      ) : (
        <ItemLocationStep fix={fix} />
      );
    case 'choose':
      return <ChoosePoliciesStep listingId={listingId} fix={fix} />;
    case 'signIn':
      return <MarketSignInStep fix={fix} label={label} />;
    case 'wait':
      return <WaitThenPublishStep fix={fix} since={since} ms={remedy.ms} />;
    case 'relist':
      return <p>{t('approvals.fix.delete')}</p>;
    default:
      return (
        <Button loading={fix.busy} onClick={() => fix.publish()}>
          {label}…
        </Button>
      );
  }
};

const UnfoldingRemedyStep = (props: Omit<RemedyStepProps, 'since'>) => {
  const [open, setOpen] = useState(false);
  if (open || (props.remedy.kind === 'ask' && props.remedy.route === 'bootstrapPolicies'))
    return <RemedyStep {...props} since={null} />;
  return (
    <Button variant="quiet" aria-expanded={false} onClick={() => setOpen(true)}>
      {props.label}
    </Button>
  );
};

/** This step does not list the repairs, because the prompt of the repeated request lists them. */
const RepairPublishStep = ({ fix }: Pick<FixStepProps, 'fix'>) => (
  <>
    <p>{t('approvals.fix.repairMeans')}</p>
    <Button loading={fix.busy} onClick={() => fix.publish({ fix: true })}>
      {t('approvals.fix.repair')}
    </Button>
  </>
);

/** Every code that has a fix is a publish refusal. */
const isPublishRefusalCode = (code: string | null | undefined): code is PublishRefusal => findPublishFix(code) !== null;

const formatRemedyLabel = (refusal: PublishRefusal, label: string): string =>
  refusal === 'PACKAGE_WEIGHT_TOO_HEAVY' || refusal === 'MISSING_POLICIES' ? t(`fixes.more.${refusal}`) : label;

type PublishFixProps = {
  listingId: string;
  code: string | null | undefined;
  sentence: string | null;
  /** When the service refused the publish, in ms since 1970. */
  since?: number | null;
};

export const PublishFixSection = ({ listingId, code, sentence, since = null }: PublishFixProps) => {
  const fix = useFixRequests(listingId);
  const known = findPublishFix(code);
  if (!known || !isPublishRefusalCode(code)) return null;
  const same = { listingId, fix };
  return (
    <section className={styles.fix} aria-label={t('approvals.fix.name')}>
      <p className={styles.means}>{t(`fixes.sentence.${code}`)}</p>
      {sentence !== null && sentence !== known.sentence && (
        <p className={styles.said}>
          <Trans i18nKey="approvals.fix.said" components={{ sentence: <UntrustedText text={sentence} /> }} />
        </p>
      )}
      <RemedyStep {...same} label={t(`fixes.label.${code}`)} remedy={known.remedy} since={since} />
      {known.more?.map(({ label, remedy }) => (
        <UnfoldingRemedyStep key={label} {...same} label={formatRemedyLabel(code, label)} remedy={remedy} />
      ))}
      {known.repairable && <RepairPublishStep fix={fix} />}
      <ErrorLine error={fix.error} />
    </section>
  );
};
