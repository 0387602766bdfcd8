import { Modal } from '@mantine/core';
import { ConnectFlow } from './ConnectFlow.tsx';
import { t } from '../../i18n.ts';

/** Connecting, over any screen. */
export const ConnectDialog = ({ onClose }: { onClose: () => void }) => (
  <Modal opened onClose={onClose} title={t('connect.title')} size={440} padding="lg">
    <ConnectFlow onConnected={onClose} />
  </Modal>
);
