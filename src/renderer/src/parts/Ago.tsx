import { ago, exactly } from './ago.ts';
import { useNow } from './useNow.ts';

/** "3 min ago", with the exact time on hover. */
export const Ago = ({ at }: { at: number }) => {
  const now = useNow(15_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={exactly(at)}>
      {ago(at, now)}
    </time>
  );
};
