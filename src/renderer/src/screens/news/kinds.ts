import { t, screens } from '../../i18n/t.ts';

const known = screens.news.kind;
const isKnown = (kind: string): kind is keyof typeof known => Object.hasOwn(known, kind);

/** What a notification is about, in a word; the service's kinds are its own, and may be others. */
export const kindWords = (kind: string | null): string =>
  t(`news.kind.${kind !== null && isKnown(kind) ? kind : 'other'}`);
