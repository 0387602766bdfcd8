import type { ItemView } from '../../api/types.ts';
import { translate } from '../../i18n/language.ts';

/** The items whose title, name or state has every word that was typed. */
export const matching = (items: readonly ItemView[], find: string): readonly ItemView[] => {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((item) => {
    const text = `${item.title ?? ''} ${item.name} ${translate(item.says, item.words)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
};
