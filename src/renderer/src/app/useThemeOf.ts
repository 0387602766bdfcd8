import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import type { AppState } from '../api/types.ts';

/** Makes the window look as the settings say. */
export const useThemeOf = (wanted: AppState['settings']['theme'] | undefined): void => {
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (wanted) setColorScheme(wanted === 'system' ? 'auto' : wanted);
    // The setter is made anew in every render; only a new wish matters.
  }, [wanted]);
};
