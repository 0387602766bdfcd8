import { Kbd, Modal } from '@mantine/core';
import { useState } from 'react';
import { useKeys } from '../parts/useKeys.ts';
import styles from './frame.module.css';

const keys: readonly (readonly [string[], string])[] = [
  [['J', '↓'], 'Next item'],
  [['K', '↑'], 'Item before'],
  [['Enter'], 'Open the item'],
  [['Space'], 'Select the item; with Shift, all up to it'],
  [['E'], 'Edit the title'],
  [['P'], 'Ask to publish'],
  [['Ctrl', 'K'], 'Find an item'],
  [['Ctrl', 'Enter'], 'Keep what you typed'],
  [['Esc'], 'Close; a question stays open'],
  [['?'], 'Show these keys'],
];

/** The keys, on `?`. */
export const KeysHelp = () => {
  const [open, setOpen] = useState(false);
  useKeys({ '?': () => setOpen(true) });
  return (
    <Modal opened={open} onClose={() => setOpen(false)} title="Keys" size={360} padding="lg">
      <dl className={styles.keys}>
        {keys.map(([press, does]) => (
          <div key={does}>
            <dt>
              {press.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
};
