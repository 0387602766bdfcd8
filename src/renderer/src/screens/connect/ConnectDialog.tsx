import { Modal } from '@mantine/core';
import { ConnectFlow } from './ConnectFlow.tsx';

/** Connecting, over any screen. */
export const ConnectDialog = ({ onClose }: { onClose: () => void }) => (
  <Modal opened onClose={onClose} title="Connect my account" size={440} padding="lg">
    <ConnectFlow onConnected={onClose} />
  </Modal>
);
