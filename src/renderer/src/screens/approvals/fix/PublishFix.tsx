import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../../api/call.ts';
import { useListing, usePolicies } from '../../../api/queries.ts';
import { countries } from '../../../components/text/format.ts';
import { ProblemLine } from '../../../components/Page.tsx';
import { escapedText, UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { policiesIn, policyBody, policyKinds, type PolicyKind } from './policies.ts';
import { type Fix, useFix } from './useFix.ts';
import { t } from '../../../i18n.ts';
import styles from './fix.module.css';
import { Trans } from 'react-i18next';
import { publishFixOf, type PublishRefusal, type Remedy } from '../../../../../contract/index.ts';
import { ConditionStep, WeightStep, SignInStep, WaitStep } from './EditSteps.tsx';

type AskStepProps = { listingId: string; fix: Fix; label: string };

const StarterStep = ({ listingId, fix, label }: AskStepProps) => {
  const site = useListing(listingId).data?.marketplaceId;
  return (
    <Button loading={fix.busy} onClick={() => fix.ask('bootstrapPolicies', site ? { marketplaceId: site } : {})}>
      {label}…
    </Button>
  );
};

/** The item location (country and postcode), saved in the seller defaults. */
const PlaceStep = ({ fix }: Pick<AskStepProps, 'fix'>) => {
  const [country, setCountry] = useState('');
  const [postalCode, setPostalCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (country === '') return setWrong(t('approvals.fix.countryWrong'));
    if (postalCode.trim() === '') return setWrong(t('approvals.fix.postcodeWrong'));
    setWrong(null);
    fix.ask('updateSellerDefaults', { location: { country, postalCode: postalCode.trim() } });
  };
  return (
    <>
      <form className={styles.form} onSubmit={onSubmit}>
        <NativeSelect
          className={styles.short}
          label={t('approvals.fix.country')}
          data={[{ value: '', label: '' }, ...countries()]}
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

/** Selects one policy of each kind and publishes with them. */
const PoliciesStep = ({ listingId, fix }: Omit<AskStepProps, 'label'>) => {
  const listing = useListing(listingId).data;
  const { data, error } = usePolicies(listing?.marketplaceId ?? null);
  const [chosen, setChosen] = useState<Partial<Record<PolicyKind, string>>>({});
  const found = policiesIn(data);
  const kinds = policyKinds.filter((kind) => found[kind].length > 0);
  const only = Object.fromEntries(
    kinds.map((kind) => [kind, found[kind].length === 1 ? found[kind][0]?.policyId : '']),
  );
  const all = { ...only, ...chosen };
  if (error) return <ProblemLine>{sentenceOf(error)}</ProblemLine>;
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
            ...found[kind].map(({ policyId, name }) => ({ value: policyId, label: escapedText(name) })),
          ]}
        />
      ))}
      <Button
        variant="ink"
        loading={fix.busy}
        disabled={kinds.length === 0 || kinds.some((kind) => !all[kind])}
        onClick={() => fix.publish(policyBody(all))}
      >
        {t('approvals.fix.publishWith')}
      </Button>
    </div>
  );
};

type StepProps = { listingId: string; label: string; remedy: Remedy; fix: Fix; since: number | null };

/** The control for one remedy: a field, a choice, a page, a wait or a button. */
const Step = ({ listingId, label, remedy, fix, since }: StepProps) => {
  switch (remedy.kind) {
    case 'edit':
      return remedy.field === 'condition' ? (
        <ConditionStep listingId={listingId} />
      ) : (
        <WeightStep listingId={listingId} />
      );
    case 'ask':
      return remedy.route === 'bootstrapPolicies' ? (
        <StarterStep listingId={listingId} fix={fix} label={label} />
      ) : (
        <PlaceStep fix={fix} />
      );
    case 'choose':
      return <PoliciesStep listingId={listingId} fix={fix} />;
    case 'signIn':
      return <SignInStep fix={fix} label={label} />;
    case 'wait':
      return <WaitStep fix={fix} since={since} ms={remedy.ms} />;
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

const More = (props: Omit<StepProps, 'since'>) => {
  const [open, setOpen] = useState(false);
  // A remedy that is a single button is shown at once.
  if (open || (props.remedy.kind === 'ask' && props.remedy.route === 'bootstrapPolicies'))
    return <Step {...props} since={null} />;
  return (
    <Button variant="quiet" aria-expanded={false} onClick={() => setOpen(true)}>
      {props.label}
    </Button>
  );
};

/** Lets the service repair the refused publish: repeats the request with `fix`; the new prompt lists the repairs. */
const RepairStep = ({ fix }: Pick<AskStepProps, 'fix'>) => (
  <>
    <p>{t('approvals.fix.repairMeans')}</p>
    <Button loading={fix.busy} onClick={() => fix.publish({ fix: true })}>
      {t('approvals.fix.repair')}
    </Button>
  </>
);

/** Every code that has a fix is a publish refusal. */
const isRefusal = (code: string | null | undefined): code is PublishRefusal => publishFixOf(code) !== null;

const moreLabel = (refusal: PublishRefusal, label: string): string =>
  refusal === 'PACKAGE_WEIGHT_TOO_HEAVY' || refusal === 'MISSING_POLICIES' ? t(`fixes.more.${refusal}`) : label;

type Props = {
  listingId: string;
  code: string | null | undefined;
  sentence: string | null;
  /** When the publish was refused; a wait counts from this time. */
  since?: number | null;
};

/** A refused publish: its meaning, the service's sentence and the fix. Renders nothing for a code without a fix. */
export const PublishFix = ({ listingId, code, sentence, since = null }: Props) => {
  const fix = useFix(listingId);
  const known = publishFixOf(code);
  if (!known || !isRefusal(code)) return null;
  const same = { listingId, fix };
  return (
    <section className={styles.fix} aria-label={t('approvals.fix.name')}>
      <p className={styles.means}>{t(`fixes.sentence.${code}`)}</p>
      {sentence !== null && sentence !== known.sentence && (
        <p className={styles.said}>
          <Trans i18nKey="approvals.fix.said" components={{ sentence: <UntrustedText text={sentence} /> }} />
        </p>
      )}
      <Step {...same} label={t(`fixes.label.${code}`)} remedy={known.remedy} since={since} />
      {known.more?.map(({ label, remedy }) => (
        <More key={label} {...same} label={moreLabel(code, label)} remedy={remedy} />
      ))}
      {known.repairable && <RepairStep fix={fix} />}
      {fix.error && <ProblemLine>{sentenceOf(fix.error)}</ProblemLine>}
    </section>
  );
};
