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
import { createStore, withEntry } from '../../api/createStore.ts';

/** What can be done with what is open or selected, in the order in which it is found. */
const order = [
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
export type ActId = (typeof order)[number];

type Offer = {
  /** The same as long as it is offered, whatever it is called meanwhile. */
  id: string;
  act: ActId;
  name: string;
  /** With what it is done, in a few words. */
  about: string;
  run: () => void;
};

const offers = createStore<ReadonlyMap<string, Offer>>(new Map());
const put = (id: string, offer: Offer | null): void => offers.set(withEntry(offers.get(), id, offer));

/** The name of what is open, which says with what an act is done. */
const OpenName = createContext('');
export const OpenNameProvider = OpenName.Provider;

type Offered = { act: ActId; name: string; about?: string; run: () => void };

/** Has an act found from anywhere, as long as whoever offers it is on the screen and gives it; null takes it back. */
export const useOffer = (offered: Offered | null): void => {
  const id = useId();
  const openName = useContext(OpenName);
  const latest = useRef(offered);
  useEffect(() => {
    latest.current = offered;
  });
  const { act, name, about = openName } = offered ?? {};
  useEffect(() => {
    if (act === undefined || name === undefined) return undefined;
    put(id, { id, act, name, about, run: () => latest.current?.run() });
    return () => put(id, null);
  }, [id, act, name, about]);
};

/** Everything that is offered on the screen, what matters most first; what has the same name twice, once. */
export const useOfferedActs = (): Offer[] => {
  const all = [...useSyncExternalStore(offers.subscribe, offers.get).values()];
  const isSame = (a: Offer, b: Offer): boolean => a.name === b.name && a.about === b.about;
  return all
    .toSorted((a, b) => order.indexOf(a.act) - order.indexOf(b.act))
    .filter((offer, at, sorted) => sorted.findIndex((one) => isSame(one, offer)) === at);
};

type Props = ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'children'> & {
    /** Null where it is one of many, and only pressed where it stands. */
    act: ActId | null;
    children: string;
    /** What it is called elsewhere, if its words say too little there. */
    actName?: string;
    about?: string;
    ref?: Ref<HTMLButtonElement>;
  };

/** A button that can be pressed from anywhere by its name, whenever it can be pressed where it stands. */
export const ActButton = ({ act, actName, about, ref, ...button }: Props) => {
  const own = useRef<HTMLButtonElement>(null);
  const both = useMergedRef(own, ref);
  const isOffered = act !== null && button.disabled !== true && button.loading !== true;
  const name = actName ?? button['aria-label'] ?? button.children;
  const run = (): void => own.current?.click();
  useOffer(isOffered ? { act, name, ...(about !== undefined && { about }), run } : null);
  return <Button ref={both} {...button} />;
};
