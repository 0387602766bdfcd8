import { Modal } from '@mantine/core';
import { ConnectFlow } from './ConnectFlow.tsx';
import { useAppState } from '../../api/queries.ts';
import { useFocusRestore } from '../../components/Keys.tsx';
import { t } from '../../i18n.ts';

export const ConnectDialog = ({ onClose }: { onClose: () => void }) => {
  useFocusRestore();
  const isPractice = useAppState().data?.service.kind === 'practice';
  return (
    <Modal
      opened
      onClose={onClose}
      title={isPractice ? t('connect.forReal') : t('connect.title')}
      size={440}
      padding="lg"
    >
      <ConnectFlow onConnected={onClose} />
    </Modal>
  );
};
