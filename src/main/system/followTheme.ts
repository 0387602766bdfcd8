import { nativeTheme } from 'electron';
import type { Running } from '../../host/runCompanion.ts';

/** Menus, dialogs and the first paint of windows are as light or dark as the person has set. */
export const followTheme = ({ handlers, onChanged }: Pick<Running, 'handlers' | 'onChanged'>): void => {
  const follow = async (): Promise<void> => {
    const { settings } = await handlers['app.state']({});
    if (nativeTheme.themeSource !== settings.theme) nativeTheme.themeSource = settings.theme;
  };
  void follow().catch(() => undefined);
  onChanged((topic) => void (topic === 'app' && follow().catch(() => undefined)));
};
