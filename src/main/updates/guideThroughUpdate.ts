import { dialog } from 'electron';
import type { FormatMessage } from '../../host/hostTranslator.ts';
import type { UpdateState } from '../../ipc/shell.ts';
import type { MessageKey } from '../../i18n/message.ts';
import type { UpdateService } from './updates.ts';

type UpdateOffer = { message: string; detail: string; yes: string; act: 'load' | 'install' };

const createUpdateOffer = (now: UpdateState, format: FormatMessage): UpdateOffer | null => {
  if (now.state === 'found')
    return {
      message: format('shell.updateFound', { version: now.version }),
      detail: format('shell.updateLoadNow'),
      yes: format('shell.updateLoad'),
      act: 'load',
    };
  if (now.state === 'ready')
    return {
      message: format('shell.updateReady', { version: now.version }),
      detail: format('shell.updateWhen'),
      yes: format('shell.updateInstall'),
      act: 'install',
    };
  return null;
};

const messages = {
  none: null,
  found: null,
  ready: null,
  current: 'shell.updateCurrent',
  failed: 'shell.updateFailed',
  checking: 'shell.updateChecking',
  loading: 'shell.updateLoading',
  held: 'shell.updateHeld',
} as const satisfies Record<UpdateState['state'], MessageKey | null>;

export const guideThroughUpdate = async (updates: UpdateService, format: FormatMessage): Promise<void> => {
  await updates.act('check');
  const getNextUpdateOffer = (): UpdateOffer | null => createUpdateOffer(updates.state(), format);
  for (let offer = getNextUpdateOffer(); offer !== null; offer = getNextUpdateOffer()) {
    const { message, detail, yes, act } = offer;
    const buttons = [yes, format('shell.updateLater')];
    const { response } = await dialog.showMessageBox({ message, detail, buttons, defaultId: 0, cancelId: 1 });
    if (response !== 0) return;
    await updates.act(act);
  }
  const key = messages[updates.state().state];
  if (key !== null) await dialog.showMessageBox({ message: format(key), buttons: [format('shell.close')] });
};
