import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ItemView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { plainly } from '../../../parts/untrustedText.ts';
import { matching } from '../matching.ts';
import { Picture } from '../../../parts/Picture.tsx';
import styles from './arrange.module.css';

/** More than these are found by their name. */
const shownAtOnce = 60;
const findFrom = 8;

type Props = { title: string; items: readonly ItemView[]; onChoose: (itemId: string) => void; onClose: () => void };

/** Another item, chosen by its photo and name; Enter in the field takes the first that is found. */
export const ChooseItem = ({ title, items, onChoose, onClose }: Props) => {
  const [find, setFind] = useState('');
  const found = matching(items, find).slice(0, shownAtOnce);
  const choose = (itemId: string): void => {
    onClose();
    onChoose(itemId);
  };
  return (
    <Modal opened onClose={onClose} title={title} size={420} padding="lg">
      {items.length >= findFrom && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (found[0]) choose(found[0].itemId);
          }}
        >
          <TextInput
            data-autofocus
            aria-label={t('items.find')}
            placeholder={t('items.findShort')}
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
        </form>
      )}
      <ul className={styles.choices}>
        {found.map((item) => {
          const url = item.photos.find(({ thumbUrl }) => thumbUrl !== null)?.thumbUrl;
          return (
            <li key={item.itemId}>
              <button type="button" onClick={() => choose(item.itemId)}>
                {url ? <Picture src={url} alt="" width={40} height={40} /> : <span className={styles.noPhoto} />}
                <span>{plainly(item.title ?? item.name)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </Modal>
  );
};
