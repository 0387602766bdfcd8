import { Button } from '@mantine/core';
import { call } from '../../api/call.ts';
import { useTakeIn } from '../../api/intake/useTakeIn.ts';
import { t } from '../../i18n/t.ts';

/** Brings in photos that come with the companion, to see how it works. */
export const SampleButton = ({ quiet }: { quiet: boolean }) => {
  const { mutate, isPending } = useTakeIn();
  return (
    <Button
      variant={quiet ? 'quiet' : 'default'}
      loading={isPending}
      onClick={() => mutate(() => call('items.addSamples', {}))}
      size={quiet ? 'compact-xs' : 'sm'}
      h={quiet ? undefined : 40}
    >
      {t('items.samples')}
    </Button>
  );
};
