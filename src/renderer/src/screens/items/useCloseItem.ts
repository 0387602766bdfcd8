import { useLocation } from 'wouter';

/** Goes back to the list when the item that is open has gone. */
export const useCloseItem = (itemId: string): (() => void) => {
  const [path, go] = useLocation();
  return () => {
    if (path === `/items/${encodeURIComponent(itemId)}`) go('/');
  };
};
