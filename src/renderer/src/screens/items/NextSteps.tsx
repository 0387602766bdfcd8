import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ItemStop, ItemSummary, ItemView, NextStep } from '../../api/types.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { ConnectDialog } from '../connect/ConnectDialog.tsx';
import { useItemAct } from './useItemAct.ts';
import { useCloseItem } from './useCloseItem.ts';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';
import styles from './nextSteps.module.css';

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
