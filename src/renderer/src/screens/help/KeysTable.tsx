import { Kbd, Modal } from '@mantine/core';
import { t } from '../../i18n.ts';
import styles from './keys.module.css';

const listKeyboardShortcuts = (): readonly (readonly [string[], string])[] => [
  [['J', '↓'], t('app.keys.next')],
  [['K', '↑'], t('app.keys.before')],
  [['Enter'], t('app.keys.open')],
  [['X', 'Space'], t('app.keys.select')],
  [['Ctrl', 'A'], t('app.keys.selectAll')],
  [['E'], t('app.keys.edit')],
  [['←', '→'], t('app.keys.photos')],
  [['R'], t('app.keys.turn')],
  [['P'], t('app.keys.publish')],
  [['N'], t('app.keys.nextReview')],
  [['W'], t('app.keys.nextWeak')],
  [['C'], t('app.keys.since')],
  [['G'], t('shelf.key')],
  [['D'], t('app.keys.discard')],
  [['Ctrl', 'K'], t('find.title')],
  [['/'], t('app.keys.find')],
  [['S'], t('sheet.keySplit')],
  [['J'], t('sheet.keyJoin')],
  [['Alt', '↑', '↓'], t('sheet.keyMove')],
  [['U'], t('sheet.keyUnsure')],
  [['Ctrl', 'Z'], t('arrange.undoKey')],
  [['Ctrl', 'Enter'], t('app.keys.keep')],
  [['Ctrl', 'Enter'], t('app.keys.yes')],
  [['Esc'], t('app.keys.close')],
  [['?'], t('app.keys.show')],
];

export const KeysTable = () => (
  <dl className={styles.keys}>
    {listKeyboardShortcuts().map(([press, does]) => (
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

export const KeysDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Modal opened={opened} onClose={onClose} title={t('app.keys.title')} size={704} padding="lg">
    <KeysTable />
  </Modal>
);
