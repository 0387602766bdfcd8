import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { getCompanionWindow, getErrorSentence, readServiceAnswer } from '../../../api/call.ts';
import { formatWaitTime, useTimeLeft } from '../../../components/text/RelativeTime.tsx';
import { openKnownPage } from '../../../api/links.ts';
import { ExternalLink } from '../../../components/ExternalLink.tsx';
import { ErrorLine, ProblemLine } from '../../../components/ScreenPage.tsx';
import { type FixRequests, useFixRequests } from './useFixRequests.ts';
import { t } from '../../../i18n.ts';
import styles from './fix.module.css';
import type { ListingChanges } from '../../../../../contract/index.ts';
import { useCategoryConditions, useListingById } from '../../../api/queries.ts';
import { formatCondition } from '../../../components/text/formatCondition.ts';
import { getWeightUnits } from '../../../../../i18n/weights.ts';
import {
  findWeightProblem,
  formatWeight,
  formatWeightUnits,
  parseWeight,
} from '../../../components/text/packedWeight.ts';
import { useSaveListing } from '../../items/review/QueuedEdits.tsx';

export const MarketSignInStep = ({ fix, label }: { fix: FixRequests; label: string }) => {
  const page = useMutation({
    mutationFn: () => readServiceAnswer('readMarketAuthUrl', {}),
    // Only the desktop app opens the page: a browser blocks a page that does not open during a click, so the person
    // uses the link below.
    onSuccess: ({ authUrl }) => {
      if (getCompanionWindow().host === 'electron') openKnownPage(authUrl);
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
      <ErrorLine error={page.error} />
    </div>
  );
};

export const WaitThenPublishStep = ({ fix, since, ms }: { fix: FixRequests; since: number | null; ms: number }) => {
  const [from] = useState(() => since ?? Date.now());
  const left = Math.max(0, useTimeLeft(from + ms, 1_000));
  return (
    <Button loading={fix.busy} disabled={left > 0} onClick={() => fix.publish()}>
      {left > 0
        ? t('approvals.fix.publishAgainIn', { wait: formatWaitTime(left / 1_000) })
        : t('approvals.fix.publishAgain')}
    </Button>
  );
};

export const PublishAgainButton = ({ listingId }: { listingId: string }) => {
  const fix = useFixRequests(listingId);
  return (
    <div className={styles.step}>
      <Button variant="ink" loading={fix.busy} onClick={() => fix.publish()}>
        {t('approvals.fix.publishAgain')}
      </Button>
      <ErrorLine error={fix.error} />
    </div>
  );
};

type FixedListingChanges = Omit<ListingChanges, 'bestOffer'>;
type SaveFormProps = {
  listingId: string;
  changes: () => FixedListingChanges | string;
  yes: string;
  /** Shown after the save. */
  note?: (made: FixedListingChanges) => string | null;
  children: ReactNode;
};

const SaveAndPublishForm = ({ listingId, changes, yes, note, children }: SaveFormProps) => {
  const save = useSaveListing(listingId);
  const [wrong, setWrong] = useState<string | null>(null);
  const saving = useMutation({ mutationFn: (made: FixedListingChanges) => save(made) });
  const submitFieldChange = (event: FormEvent): void => {
    event.preventDefault();
    const made = changes();
    setWrong(typeof made === 'string' ? made : null);
    if (typeof made !== 'string') saving.mutate(made);
  };
  const problem = wrong ?? (saving.error ? getErrorSentence(saving.error) : null);
  return (
    <>
      <form className={styles.form} onSubmit={submitFieldChange}>
        {children}
        <Button type="submit" loading={saving.isPending}>
          {yes}
        </Button>
      </form>
      {problem && <ProblemLine>{problem}</ProblemLine>}
      {saving.isSuccess && (
        <div className={styles.saved} role="status">
          <span>{note?.(saving.variables) ?? t('approvals.fix.saved')}</span>
          <PublishAgainButton listingId={listingId} />
        </div>
      )}
    </>
  );
};

export const PackageWeightStep = ({ listingId }: { listingId: string }) => {
  const { data: listing } = useListingById(listingId);
  const saved = listing?.packageWeightGrams;
  const units = getWeightUnits(listing?.marketplaceId);
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? (saved ? formatWeight(saved, units) : '');
  return (
    <SaveAndPublishForm
      listingId={listingId}
      yes={t('approvals.fix.saveWeight')}
      changes={() => findWeightProblem(shown, units) ?? { packageWeightGrams: parseWeight(shown, units) ?? 0 }}
      note={({ packageWeightGrams }) => (packageWeightGrams === saved ? null : t('review.weightUnconfirmed'))}
    >
      <TextInput
        label={t('review.weight')}
        description={formatWeightUnits(units)}
        inputMode="text"
        value={shown}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </SaveAndPublishForm>
  );
};

export const ListingConditionStep = ({ listingId }: { listingId: string }) => {
  const listing = useListingById(listingId).data;
  const conditions =
    useCategoryConditions(listing?.categoryId ?? null, listing?.marketplaceId ?? null).data?.conditions ?? [];
  const [condition, setCondition] = useState('');
  return (
    <SaveAndPublishForm
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
          ...conditions.map((choice) => ({
            value: choice.condition,
            label: formatCondition(choice.condition, choice.name),
          })),
        ]}
      />
    </SaveAndPublishForm>
  );
};
