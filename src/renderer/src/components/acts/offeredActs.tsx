import { Button, type ButtonProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import {
  createContext,
  useContext,
  useEffect,
  useId,
  useRef,
  useSyncExternalStore,
  type ComponentPropsWithoutRef,
  type Ref,
} from 'react';
import { createStore, withMapEntry } from '../../api/createStore.ts';

/** The search lists the actions in this order. */
const actOrder = [
  'publish',
  'looksRight',
  'write',
  'takeBack',
  'editLive',
  'bringBack',
  'another',
  'openListing',
  'editTitle',
  'editDescription',
  'sku',
  'labels',
  'changePhotos',
  'photo',
  'nextPhoto',
  'photoBefore',
  'since',
  'similar',
  'sells',
  'adapt',
  'channels',
  'refresh',
  'visibility',
  'next',
  'before',
  'selection',
  'remove',
  'end',
  'discard',
] as const;
export type ActId = (typeof actOrder)[number];

type Offer = {
  /** The id stays stable while the action is offered, even if its name changes. */
  id: string;
  act: ActId;
  name: string;
  about: string;
  run: () => void;
};

const offers = createStore<ReadonlyMap<string, Offer>>(new Map());
const setOffer = (id: string, offer: Offer | null): void => offers.set(withMapEntry(offers.get(), id, offer));

/** The name of the open item or listing. It is the default for `about` of an action. */
const OpenName = createContext('');
export const OpenNameProvider = OpenName.Provider;

type OfferedAct = { act: ActId; name: string; about?: string; run: () => void };

/** Offers an action in the search while the component is mounted. Null offers nothing. */
export const useOfferedAction = (offered: OfferedAct | null): void => {
  const id = useId();
  const openName = useContext(OpenName);
  const latest = useRef(offered);
  useEffect(() => {
    latest.current = offered;
  });
  const { act, name, about = openName } = offered ?? {};
  useEffect(() => {
    if (act === undefined || name === undefined) return undefined;
    setOffer(id, { id, act, name, about, run: () => latest.current?.run() });
    return () => setOffer(id, null);
  }, [id, act, name, about]);
};

/** The most important action comes first. Actions with the same name and `about` are listed once. */
export const useAllOfferedActions = (): Offer[] => {
  const all = [...useSyncExternalStore(offers.subscribe, offers.get).values()];
  const isSameOffer = (a: Offer, b: Offer): boolean => a.name === b.name && a.about === b.about;
  return all
    .toSorted((a, b) => actOrder.indexOf(a.act) - actOrder.indexOf(b.act))
    .filter((offer, at, sorted) => sorted.findIndex((one) => isSameOffer(one, offer)) === at);
};

type Props = ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'children'> & {
    /** Null for a button that repeats in a list, because the search does not offer such a button. */
    act: ActId | null;
    children: string;
    actName?: string;
    about?: string;
    ref?: Ref<HTMLButtonElement>;
  };

export const ActionButton = ({ act, actName, about, ref, ...button }: Props) => {
  const own = useRef<HTMLButtonElement>(null);
  const both = useMergedRef(own, ref);
  const isOffered = act !== null && button.disabled !== true && button.loading !== true;
  const name = actName ?? button['aria-label'] ?? button.children;
  const clickOwnButton = (): void => own.current?.click();
  useOfferedAction(isOffered ? { act, name, ...(about !== undefined && { about }), run: clickOwnButton } : null);
  return <Button ref={both} {...button} />;
};
