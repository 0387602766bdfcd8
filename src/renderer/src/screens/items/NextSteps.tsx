import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, sentenceOf } from '../../api/call.ts';
import { useLocation } from 'wouter';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ItemStop, ItemSummary, ItemView, NextStep } from '../../api/types.ts';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { ConnectDialog } from '../connect/ConnectDialog.tsx';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';
import styles from './nextSteps.module.css';

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

/** Goes back to the list when the item that is open has gone. */
export const useCloseItem = (itemId: string): (() => void) => {
  const [path, go] = useLocation();
  return () => {
    if (path === `/items/${encodeURIComponent(itemId)}`) go('/');
  };
};

type Item = Pick<ItemSummary, 'itemId'>;

const again = { retry: 'items.retry', resume: 'items.resume', write_again: 'items.writeAgain' } as const;

const Step = ({ step, item, onConnect }: { step: NextStep; item: Item; onConnect: () => void }) => {
  const close = useCloseItem(item.itemId);
  const resume = useItemAct('items.resume');
  const remove = useItemAct('items.remove', close);
  if (step === 'connect') return <Button onClick={onConnect}>{t('items.connectAgain')}</Button>;
  if (step === 'remove')
    return (
      <ConfirmButton variant="quiet" sure={t('items.removeSure')} onSure={() => remove.mutate(item.itemId)}>
        {t('items.removeShort')}
      </ConfirmButton>
    );
  return (
    <Button disabled={resume.isPending} onClick={() => resume.mutate(item.itemId)}>
      {t(again[step])}
    </Button>
  );
};

/** An item that waits for the service goes on by itself; a person who knows better has it tried now. */
export const TryNow = ({ item }: { item: ItemView }) => {
  const resume = useItemAct('items.resume');
  if (item.stop || item.says?.key !== 'items.waiting') return null;
  return (
    <div className={styles.steps}>
      <Button disabled={resume.isPending} onClick={() => resume.mutate(item.itemId)}>
        {t('items.retry')}
      </Button>
    </div>
  );
};

/** Why an item stands still, and what can be done about it. */
export const NextSteps = ({ item, stop }: { item: Item; stop: ItemStop }) => {
  const [connecting, setConnecting] = useState(false);
  return (
    <div className={styles.stop}>
      <p>
        <UntrustedText text={translate(stop.says, stop.sentence)} fold={300} />
      </p>
      <div className={styles.steps}>
        {stop.next.map((step) => (
          <Step key={step} step={step} item={item} onConnect={() => setConnecting(true)} />
        ))}
      </div>
      {connecting && <ConnectDialog onClose={() => setConnecting(false)} />}
    </div>
  );
};
