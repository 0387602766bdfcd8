import { escapeHiddenText } from './UntrustedText.tsx';

type Shelf = { place: string | null; sku: string | null };

/** Shows where an item is, before its title, such as "A04 · A04-3 · ". */
export const ShelfPlace = ({ shelf }: { shelf: Shelf | null }) => {
  const parts = [shelf?.place, shelf?.sku].filter((part) => part != null);
  if (parts.length === 0) return null;
  return (
    <>
      <b>{escapeHiddenText(parts.join(' · '))}</b>
      {' · '}
    </>
  );
};
