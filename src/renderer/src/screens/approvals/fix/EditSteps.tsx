import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { companion, sentenceOf, read } from '../../../api/call.ts';
import { waitText, useTimeLeft } from '../../../components/text/RelativeTime.tsx';
import { openKnownPage } from '../../../api/links.ts';
import { ExternalLink } from '../../../components/ExternalLink.tsx';
import { ProblemLine } from '../../../components/Page.tsx';
import { type Fix, useFix } from './useFix.ts';
import { t } from '../../../i18n.ts';
import styles from './fix.module.css';
import type { ListingChanges } from '../../../../../contract/index.ts';
import { useConditions, useListing } from '../../../api/queries.ts';
import { conditionText } from '../../../components/text/conditionText.ts';
import { checkWeight } from '../../items/review/fields/fieldProblems.ts';
import { useSaveListing } from '../../items/review/HeldEdits.tsx';

/** Opens the marketplace's sign-in page, which is valid for ten minutes, and then publishes again. */
export const SignInStep = ({ fix, label }: { fix: Fix; label: string }) => {
  const page = useMutation({
    mutationFn: () => read('readMarketAuthUrl', {}),
    // A browser opens a page only during a click; the link below provides one.
    onSuccess: ({ authUrl }) => {
      if (companion().host === 'electron') openKnownPage(authUrl);
    },
  });
  return (
    <div className={styles.step}>
      {page.data ? (
        <>
          <p>
            <ExternalLink url={page.data.authUrl} withAddress>
              {t('approvals.fix.openSignIn')}
            </ExternalLink>
          </p>
          <Button variant="ink" loading={fix.busy} onClick={() => fix.publish()}>
            {t('approvals.fix.signedIn')}
          </Button>
        </>
      ) : (
        <Button loading={page.isPending} onClick={() => page.mutate()}>
          {label}…
        </Button>
      )}
      {page.error && <ProblemLine>{sentenceOf(page.error)}</ProblemLine>}
    </div>
  );
};

export const WaitStep = ({ fix, since, ms }: { fix: Fix; since: number | null; ms: number }) => {
  const [from] = useState(() => since ?? Date.now());
  const left = Math.max(0, useTimeLeft(from + ms, 1_000));
  return (
    <Button loading={fix.busy} disabled={left > 0} onClick={() => fix.publish()}>
      {left > 0 ? t('approvals.fix.publishAgainIn', { wait: waitText(left / 1_000) }) : t('approvals.fix.publishAgain')}
    </Button>
  );
};

/** After a fix: requests the publish again, as a new approval. */
export const PublishAgain = ({ listingId }: { listingId: string }) => {
  const fix = useFix(listingId);
  return (
    <div className={styles.step}>
      <Button variant="ink" loading={fix.busy} onClick={() => fix.publish()}>
        {t('approvals.fix.publishAgain')}
      </Button>
      {fix.error && <ProblemLine>{sentenceOf(fix.error)}</ProblemLine>}
    </div>
  );
};

type Changes = Omit<ListingChanges, 'bestOffer'>;
type FormProps = { listingId: string; changes: () => Changes | string; yes: string; children: ReactNode };

/** A form that saves one field of the listing and then offers to publish again. */
const SaveForm = ({ listingId, changes, yes, children }: FormProps) => {
  const save = useSaveListing(listingId);
  const [wrong, setWrong] = useState<string | null>(null);
  const saving = useMutation({ mutationFn: (made: Changes) => save(made) });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const made = changes();
    setWrong(typeof made === 'string' ? made : null);
    if (typeof made !== 'string') saving.mutate(made);
  };
  const problem = wrong ?? (saving.error ? sentenceOf(saving.error) : null);
  return (
    <>
      <form className={styles.form} onSubmit={onSubmit}>
        {children}
        <Button type="submit" loading={saving.isPending}>
          {yes}
        </Button>
      </form>
      {problem && <ProblemLine>{problem}</ProblemLine>}
      {saving.isSuccess && (
        <div className={styles.saved} role="status">
          <span>{t('approvals.fix.saved')}</span>
          <PublishAgain listingId={listingId} />
        </div>
      )}
    </>
  );
};

export const WeightStep = ({ listingId }: { listingId: string }) => {
  const saved = useListing(listingId).data?.packageWeightGrams;
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? (saved ? String(saved) : '');
  return (
    <SaveForm
      listingId={listingId}
      yes={t('approvals.fix.saveWeight')}
      changes={() => checkWeight(shown) ?? { packageWeightGrams: Number(shown) }}
    >
      <TextInput
        label={t('approvals.fix.weight')}
        inputMode="numeric"
        value={shown}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </SaveForm>
  );
};

/** A select with the conditions that the category accepts. */
export const ConditionStep = ({ listingId }: { listingId: string }) => {
  const listing = useListing(listingId).data;
  const conditions = useConditions(listing?.categoryId ?? null, listing?.marketplaceId ?? null).data?.conditions ?? [];
  const [condition, setCondition] = useState('');
  return (
    <SaveForm
      listingId={listingId}
      yes={t('approvals.fix.saveCondition')}
      changes={() => (condition === '' ? t('approvals.fix.chooseConditionFirst') : { condition })}
    >
      <NativeSelect
        label={t('approvals.fix.condition')}
        value={condition}
        onChange={(event) => setCondition(event.currentTarget.value)}
        data={[
          { value: '', label: t('approvals.fix.chooseCondition') },
          ...conditions.map((one) => ({ value: one.condition, label: conditionText(one.condition, one.name) })),
        ]}
      />
    </SaveForm>
  );
};
