import type { Prompt } from '../api/types.ts';
import { translate } from '../i18n/language.ts';

type Part = 'act' | 'consequence' | 'undo' | 'yes' | 'feeNotice';

/** A sentence of a prompt in the language of the screens. */
export const asked = (prompt: Prompt, part: Part): string => translate(prompt.says?.[part], prompt[part] ?? '');

/** The title of the thing that a prompt is about. */
export const titleOf = ({ says, target }: Prompt): string => translate(says?.title, target?.title ?? '');
