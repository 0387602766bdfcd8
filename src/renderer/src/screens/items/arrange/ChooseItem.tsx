import { Modal, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { arrangeableQuery } from '../../../api/itemQueries.ts';
import type { ItemSummary } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { plainly } from '../../../parts/untrustedText.ts';
import { Picture } from '../../../parts/Picture.tsx';
import styles from './arrange.module.css';

/** More than these are found by their name. */
export const shownAtOnce = 60;
const findFrom = 8;

type Props = {
  title: string;
  /** The item that is left out. */
  except: string;
  /** How many others there are. */
  of: number;
  onChoose: (itemId: string) => void;
  onClose: () => void;
};

/** Another item, chosen by its photo and name; Enter in the field takes the first that is found. */
export const ChooseItem = ({ title, except, of, onChoose, onClose }: Props) => {
  const client = useQueryClient();
  const [find, setFind] = useState('');
  const query = arrangeableQuery(find, shownAtOnce);
  const rows = useQuery({ ...query, placeholderData: keepPreviousData }).data?.rows ?? [];
  const others = (all: readonly ItemSummary[]) => all.filter(({ itemId }) => itemId !== except);
  const choose = (itemId: string): void => {
    onClose();
    onChoose(itemId);
  };
  const chooseFirst = async (): Promise<void> => {
    const [first] = others((await client.fetchQuery(query)).rows);
    if (first) choose(first.itemId);
  };
  return (
    <Modal opened onClose={onClose} title={title} size={420} padding="lg">
      {of >= findFrom && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            chooseFirst().catch(() => undefined);
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
        {others(rows).map((item) => (
          <li key={item.itemId}>
            <button type="button" onClick={() => choose(item.itemId)}>
              {item.thumbUrl ? (
                <Picture src={item.thumbUrl} alt="" width={40} height={40} />
              ) : (
                <span className={styles.noPhoto} />
              )}
              <span>{plainly(item.title ?? item.name)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
};
