import { dialog } from 'electron';
import type { UpdateState } from '../../ipc/shell.ts';
import type { Updates } from './updates.ts';

type Question = { message: string; detail: string; yes: string; act: 'load' | 'install' };

const questionOf = (now: UpdateState): Question | null => {
  if (now.state === 'found')
    return { message: `Version ${now.version} is there.`, detail: 'Load it now?', yes: 'Load', act: 'load' };
  if (now.state === 'ready')
    return {
      message: `Version ${now.version} is loaded.`,
      detail: 'It is installed when nothing runs and no question waits; the companion then starts again.',
      yes: 'Install',
      act: 'install',
    };
  return null;
};

const sentences: Partial<Record<UpdateState['state'], string>> = {
  current: 'This is the newest version.',
  failed: 'The look for a newer version failed. Try again later.',
  checking: 'The companion is looking for a newer version.',
  loading: 'The newer version is being loaded.',
  held: 'The newer version is installed as soon as nothing runs and no question waits.',
};

/** Leads the person from the menu through an update, a yes a step. */
export const askAboutUpdate = async (updates: Updates): Promise<void> => {
  await updates.act('check');
  for (let question = questionOf(updates.state()); question !== null; question = questionOf(updates.state())) {
    const { message, detail, yes, act } = question;
    const buttons = [yes, 'Later'];
    const { response } = await dialog.showMessageBox({ message, detail, buttons, defaultId: 0, cancelId: 1 });
    if (response !== 0) return;
    await updates.act(act);
  }
  const sentence = sentences[updates.state().state];
  if (sentence !== undefined) await dialog.showMessageBox({ message: sentence, buttons: ['Close'] });
};
