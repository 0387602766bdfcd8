import { Modal } from '@mantine/core';
import { IconArrowRight, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useFocusRestore, KeyCap } from '../../components/Keys.tsx';
import { flushSync } from 'react-dom';
import { useScanHandler } from '../../components/scanner/scanHandlers.ts';
import { CorePicture } from '../../components/CorePicture.tsx';
import { t } from '../../i18n.ts';
import styles from './find.module.css';
import { useFindHits, type FindHit } from './useFindHits.ts';

type FindHitRowProps = { hit: FindHit; id: string; isActive: boolean; onRun: () => void };

const FindHitRow = ({ hit: { name, about, group, key, photoUrl }, id, isActive, onRun }: FindHitRowProps) => {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      aria-label={about === '' ? name : `${name}, ${about}`}
      className={styles.hit}
      onClick={onRun}
    >
      {photoUrl ? (
        <CorePicture src={photoUrl} alt="" width={32} height={32} />
      ) : (
        <span className={styles.sign}>
          <IconArrowRight size={16} aria-hidden />
        </span>
      )}
      <span className={styles.name}>{name}</span>
      <span className={styles.about}>{about !== group && about}</span>
      {key !== undefined && <KeyCap>{key}</KeyCap>}
    </div>
  );
};

const useChosenHit = (hits: readonly FindHit[], isComing: boolean, onRun: (hit: FindHit) => void) => {
  // The state is an id and not an index, because later results can be inserted before the chosen hit. Null until the
  // first result arrives.
  const [chosenId, choose] = useState<string | null>(null);
  const firstId = isComing ? undefined : hits[0]?.id;
  // Results that arrive later must not replace the choice that the person already sees.
  if (chosenId === null && firstId !== undefined) choose(firstId);
  /** True if Enter was pressed before the results arrived. The chosen hit opens when they arrive. */
  const [isWanted, setWanted] = useState(false);
  // -1 if the chosen hit no longer exists. Enter then does nothing.
  const active = chosenId === null ? 0 : hits.findIndex(({ id }) => id === chosenId);
  useEffect(() => {
    if (!isWanted || isComing) return;
    setWanted(false);
    if (hits[active]) onRun(hits[active]);
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // An input method uses Enter to finish a word.
    if (event.nativeEvent.isComposing) return;
    if (by !== undefined)
      choose(hits[(Math.max(active, by < 0 ? 0 : -1) + by + hits.length) % hits.length]?.id ?? null);
    else if (event.key !== 'Enter') return;
    else if (!event.repeat) setWanted(true);
    event.preventDefault();
  };
  return { active, reset: () => choose(null), onKeyDown };
};

const noHits: readonly FindHit[] = [];

type Props = { query: string; onClose: () => void; onRun: (run: () => void) => void };

export const FindDialog = ({ query, onClose, onRun }: Props) => {
  useFocusRestore();
  const [wanted, setWanted] = useState(query);
  useScanHandler(() => {
    // The dialog is gone before the scanned item opens.
    flushSync(onClose);
    return false;
  });
  // The field appears first. Its hits render in parts, so that neither the dialog nor a key blocks a frame.
  const sought = useDeferredValue<string | null>(wanted, null);
  const found = useFindHits(sought ?? '');
  const hits = sought === null ? noHits : found.hits;
  const isComing = found.isComing || sought !== wanted;
  const { active, reset, onKeyDown } = useChosenHit(hits, isComing, (hit) => onRun(hit.run));
  const id = useId();
  const getRowId = (at: number): string => `${id}-${at}`;
  return (
    <Modal.Root
      opened
      onClose={onClose}
      returnFocus={false}
      lockScroll={false}
      size={640}
      yOffset="12vh"
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('find.title')}>
        <div className={styles.field}>
          <IconSearch size={18} aria-hidden />
          <input
            data-autofocus
            data-search
            role="combobox"
            aria-label={t('find.title')}
            placeholder={t('find.hint')}
            aria-expanded
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={hits[active] ? getRowId(active) : undefined}
            maxLength={200}
            value={wanted}
            onChange={(event) => {
              setWanted(event.currentTarget.value);
              reset();
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div id={id} role="listbox" aria-label={t('find.title')} aria-busy={isComing} className={styles.hits}>
          {[...Map.groupBy(hits, ({ group }) => group)].map(([group, members]) => (
            <div key={group} role="group" aria-label={group}>
              <p className={styles.group} aria-hidden>
                {group}
              </p>
              {members.map((hit) => (
                <FindHitRow
                  key={hit.id}
                  hit={hit}
                  id={getRowId(hits.indexOf(hit))}
                  isActive={hits.indexOf(hit) === active}
                  onRun={() => onRun(hit.run)}
                />
              ))}
            </div>
          ))}
        </div>
        <p role="status" className={styles.none}>
          {hits.length === 0 && !isComing && t('find.nothing')}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
};
