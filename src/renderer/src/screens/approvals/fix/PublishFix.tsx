import { Trans } from 'react-i18next';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { publishFixOf, type PublishRefusal, type Remedy } from '../../../../../contract/index.ts';
import { sentenceOf } from '../../../api/callError.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { PlaceStep, PoliciesStep, StarterStep } from './AskSteps.tsx';
import { ConditionStep, WeightStep } from './EditSteps.tsx';
import { SignInStep, WaitStep } from './OtherSteps.tsx';
import { useFix, type Fix } from './useFix.ts';
import { t } from '../../../i18n/t.ts';
import styles from './fix.module.css';

type StepProps = { listingId: string; label: string; remedy: Remedy; fix: Fix; since: number | null };

/** One remedy as what it needs: a field, a choice, a page, a wait or a button. */
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
  // A remedy that is a single button needs no second one to show it.
  if (open || (props.remedy.kind === 'ask' && props.remedy.route === 'bootstrapPolicies'))
    return <Step {...props} since={null} />;
  return (
    <Button variant="quiet" aria-expanded={false} onClick={() => setOpen(true)}>
      {props.label}
    </Button>
  );
};

/** Every code that has a fix is one of a publish. */
const isRefusal = (code: string | null | undefined): code is PublishRefusal => publishFixOf(code) !== null;

const moreWords = (refusal: PublishRefusal, label: string): string =>
  refusal === 'PACKAGE_WEIGHT_TOO_HEAVY' || refusal === 'MISSING_POLICIES' ? t(`fixes.more.${refusal}`) : label;

type Props = {
  listingId: string;
  code: string | null | undefined;
  /** The service's own sentence. */
  said: string | null;
  /** When it was refused; a wait counts from there. */
  since?: number | null;
};

/** A refused publish: what it means, what the service said, and the way out of it. Nothing when the code has none. */
export const PublishFix = ({ listingId, code, said, since = null }: Props) => {
  const fix = useFix(listingId);
  const known = publishFixOf(code);
  if (!known || !isRefusal(code)) return null;
  const same = { listingId, fix };
  return (
    <section className={styles.fix} aria-label={t('approvals.fix.name')}>
      <p className={styles.means}>{t(`fixes.sentence.${code}`)}</p>
      {said !== null && said !== known.sentence && (
        <p className={styles.said}>
          <Trans i18nKey="approvals.fix.said" components={{ sentence: <UntrustedText text={said} /> }} />
        </p>
      )}
      <Step {...same} label={t(`fixes.label.${code}`)} remedy={known.remedy} since={since} />
      {known.more?.map(({ label, remedy }) => (
        <More key={label} {...same} label={moreWords(code, label)} remedy={remedy} />
      ))}
      {fix.error && <ProblemLine>{sentenceOf(fix.error)}</ProblemLine>}
    </section>
  );
};
