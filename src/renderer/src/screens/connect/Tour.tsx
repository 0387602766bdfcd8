import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import { useKeys } from '../../components/useKeys.ts';
import { useSaveSettings } from '../settings/useSaveSettings.ts';
import { t } from '../../i18n/t.ts';
import tourStyles from './tour.module.css';

const steps = ['drop', 'look', 'yes'] as const;

/** In the compact window there is one question and nothing to look around in. */
const isCompact = (): boolean => new URLSearchParams(window.location.search).has('approval');

/** Esc passes it over, unless a thing is open that the key would close. */
const useEsc = (end: () => void): ((event: KeyboardEvent) => void) => {
  const [path] = useLocation();
  const isOpen = /^\/(items|listings)\/./.test(path);
  useKeys(isOpen ? {} : { Escape: end });
  return (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) end();
  };
};

const Band = () => {
  const [at, setAt] = useState(0);
  const next = useRef<HTMLButtonElement>(null);
  const { mutate } = useSaveSettings();
  const end = (): void => mutate({ tourSeen: true });
  const onKeyDown = useEsc(end);
  const step = steps[at] ?? 'drop';
  const isLast = at === steps.length - 1;
  useEffect(() => {
    if (document.activeElement === document.body) next.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className={tourStyles.band} aria-label={t('connect.tour.name')} onKeyDown={onKeyDown}>
      <p className={tourStyles.words} aria-live="polite">
        <span className={tourStyles.at}>{t('connect.tour.at', { at: at + 1, of: steps.length })}</span>
        <b>{t(`connect.tour.${step}Title`)}</b> {t(`connect.tour.${step}`)}
      </p>
      <div className={tourStyles.acts}>
        {!isLast && (
          <Button size="compact-sm" variant="quiet" onClick={end}>
            {t('connect.tour.skip')}
          </Button>
        )}
        {at > 0 && (
          <Button size="compact-sm" onClick={() => setAt(at - 1)}>
            {t('connect.tour.back')}
          </Button>
        )}
        <Button ref={next} size="compact-sm" variant="ink" onClick={() => (isLast ? end() : setAt(at + 1))}>
          {t(isLast ? 'connect.tour.done' : 'connect.tour.next')}
        </Button>
      </div>
    </section>
  );
};

/** Three short steps over the first screen, once; Help shows them again. They stand in nobody's way. */
export const Tour = ({ seen }: { seen: boolean }) => (seen || isCompact() ? null : <Band />);
