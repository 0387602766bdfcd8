import { NativeSelect } from '@mantine/core';
import { sentenceOf } from '../../api/call.ts';
import { useAppState } from '../../api/queries.ts';
import { t } from '../../i18n/t.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { plainly } from '../../components/text/untrustedText.ts';
import { useSaveSettings } from '../settings/useSaveSettings.ts';
import type { Account } from './answers.ts';
import { Read } from './Section.tsx';
import { useAccounts } from './useSelling.ts';

const Choice = ({ accounts }: { accounts: readonly Account[] }) => {
  const chosen = useAppState().data?.settings.marketAccountId ?? null;
  const save = useSaveSettings();
  // Of a single account there is nothing to choose; one that was chosen and is gone must still be taken back.
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
          ...accounts.map(({ id, name }) => ({ value: id, label: plainly(name) })),
          ...(gone ? [{ value: chosen, label: chosen }] : []),
        ]}
      />
      {save.error && <ProblemLine>{sentenceOf(save.error)}</ProblemLine>}
    </>
  );
};

/** Which of several marketplace accounts new listings are for. */
export const Accounts = () => (
  <Read of={useAccounts()} rows={1}>
    {(accounts) => <Choice accounts={accounts} />}
  </Read>
);
