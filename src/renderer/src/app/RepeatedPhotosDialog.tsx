import { Button, Group, Modal } from '@mantine/core';
import { useSettleRepeats, type RepeatQuestion } from '../api/addPhotos.ts';
import { t } from '../i18n.ts';

/** Asks about dropped photos that items already have. */
export const RepeatedPhotosDialog = ({ question: { repeatId, count } }: { question: RepeatQuestion }) => {
  const settle = useSettleRepeats();
  const answer = (add: boolean) => (): void => settle.mutate({ repeatId, add });
  return (
    <Modal opened onClose={answer(false)} title={t('items.repeats.title', { count })} size={440} padding="lg">
      <p>{t('items.repeats.text')}</p>
      <Group>
        <Button data-autofocus variant="ink" onClick={answer(false)}>
          {t('items.repeats.skip')}
        </Button>
        <Button onClick={answer(true)}>{t('items.repeats.add')}</Button>
      </Group>
    </Modal>
  );
};
