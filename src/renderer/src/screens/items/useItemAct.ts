import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { sentenceOf } from '../../api/callError.ts';

type ItemAct = 'items.cancel' | 'items.resume' | 'items.remove';

/** One of the acts on an item; a refusal is said, and the list is read again either way. */
export const useItemAct = (name: ItemAct, onDone?: () => void) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (itemId: string) => void (await call(name, { itemId })),
    onSuccess: () => onDone?.(),
    onError: (error) => notifications.show({ message: sentenceOf(error), color: 'amber' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['items'] }),
  });
};
