import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../../api/call.ts';
import { useListing, usePolicies } from '../../../api/queries.ts';
import { ProblemLine } from '../../../components/ProblemLine.tsx';
import { plainly } from '../../../components/text/untrustedText.ts';
import { policiesIn, policyBody, policyKinds, type PolicyKind } from './policies.ts';
import type { Fix } from './useFix.ts';
import { t } from '../../../i18n/t.ts';
import styles from './fix.module.css';

type AskStepProps = { listingId: string; fix: Fix; label: string };

/** Starter policies for the site of the listing. */
export const StarterStep = ({ listingId, fix, label }: AskStepProps) => {
  const site = useListing(listingId).data?.marketplaceId;
  return (
    <Button loading={fix.busy} onClick={() => fix.ask('bootstrapPolicies', site ? { marketplaceId: site } : {})}>
      {label}…
    </Button>
  );
};

/** Where the items are: country and postcode, saved as the seller's default. */
export const PlaceStep = ({ fix }: Pick<AskStepProps, 'fix'>) => {
  const [country, setCountry] = useState('');
  const [postalCode, setPostalCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const code = country.trim().toUpperCase();
    if (!/^[A-Z]{2}$/.test(code)) return setWrong(t('approvals.fix.countryWrong'));
    if (postalCode.trim() === '') return setWrong(t('approvals.fix.postcodeWrong'));
    setWrong(null);
    fix.ask('updateSellerDefaults', { location: { country: code, postalCode: postalCode.trim() } });
  };
  return (
    <>
      <form className={styles.form} onSubmit={onSubmit}>
        <TextInput
          className={styles.short}
          label={t('approvals.fix.country')}
          placeholder="US"
          maxLength={2}
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

/** Picks one policy of each kind; the publish that follows names them. */
export const PoliciesStep = ({ listingId, fix }: Omit<AskStepProps, 'label'>) => {
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
            ...found[kind].map(({ policyId, name }) => ({ value: policyId, label: plainly(name) })),
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
