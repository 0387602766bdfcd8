import type { SystemPrompt } from '../../core/presence/presenceContext.ts';
import type { HostTranslator } from '../../host/hostTranslator.ts';

type SystemPromptContext = {
  platform: NodeJS.Platform;
  preferences: Pick<Electron.SystemPreferences, 'canPromptTouchID' | 'promptTouchID'>;
  translator: Promise<HostTranslator>;
};

/** Returns the dialog of macOS for the fingerprint; undefined if this computer cannot show it. */
export const createSystemPrompt = ({
  platform,
  preferences,
  translator,
}: SystemPromptContext): SystemPrompt | undefined => {
  if (platform !== 'darwin' || !preferences.canPromptTouchID()) return undefined;
  return {
    confirm: async (drawn) => {
      const { formatSystemReason } = await import('./formatSystemReason.ts');
      return preferences.promptTouchID(formatSystemReason(drawn, await translator)).then(
        () => true,
        () => false,
      );
    },
  };
};
