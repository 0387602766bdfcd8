import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../callError.ts';
import type { Added } from '../types.ts';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';

const inWords = (added: Added): string =>
  translate(added.says, added.sentence) || t('items.added', { count: added.itemIds.length });

/** Runs an intake and says what came of it. */
export const useTakeIn = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run: () => Promise<Added>) => run(),
    // What was left out is named there and nowhere else, so it stays until it is closed.
    onSuccess: (added) =>
      notifications.show({
        message: inWords(added),
        ...(added.left ? { color: 'amber', autoClose: false } : { color: 'gray' }),
      }),
    onError: (error) => notifications.show({ message: sentenceOf(error), color: 'amber' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['items'] }),
  });
};
