import { Kbd, Modal } from '@mantine/core';
import { useState } from 'react';
import { useKeys } from '../components/useKeys.ts';
import { t } from '../i18n/t.ts';
import styles from '../components/keys.module.css';

const keys = (): readonly (readonly [string[], string])[] => [
  [['J', '↓'], t('app.keys.next')],
  [['K', '↑'], t('app.keys.before')],
  [['Enter'], t('app.keys.open')],
  [['Space'], t('app.keys.select')],
  [['E'], t('app.keys.edit')],
  [['←', '→'], t('app.keys.photos')],
  [['P'], t('app.keys.publish')],
  [['N'], t('app.keys.nextReview')],
  [['C'], t('app.keys.since')],
  [['D'], t('app.keys.discard')],
  [['Ctrl', 'K'], t('app.keys.find')],
  [['Ctrl', 'Z'], t('arrange.undoKey')],
  [['Ctrl', 'Enter'], t('app.keys.keep')],
  [['Esc'], t('app.keys.close')],
  [['?'], t('app.keys.show')],
];

/** Every key and what it does. */
export const KeysTable = () => (
  <dl className={styles.keys}>
    {keys().map(([press, does]) => (
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
);

/** The keys, on `?`. */
export const KeysHelp = () => {
  const [open, setOpen] = useState(false);
  useKeys({ '?': () => setOpen(true) });
  return (
    <Modal opened={open} onClose={() => setOpen(false)} title={t('app.keys.title')} size={704} padding="lg">
      <KeysTable />
    </Modal>
  );
};
