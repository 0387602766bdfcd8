import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/** How long a prompt must have been in front of the person before its yes can be given. */
export const armAfterMs = 1_200;

/** True once exactly this has been visible for long enough; false again in the very render that shows something else. */
export const useArmed = (shown: string | null): boolean => {
  const [armed, setArmed] = useState<string | null>(null);
  const visible = useDocumentVisibility() !== 'hidden';
  useEffect(() => {
    if (shown === null || !visible) return;
    const timer = setTimeout(() => setArmed(shown), armAfterMs);
    return () => {
      clearTimeout(timer);
      setArmed(null);
    };
  }, [shown, visible]);
  return visible && shown !== null && armed === shown;
};
