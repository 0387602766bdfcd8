import type { Fact, Prompt } from '../api/types.ts';
import { labels } from '../../../i18n/locales/en/core.json';
import { translate } from '../i18n/language.ts';

type Part = 'act' | 'consequence' | 'undo' | 'yes' | 'feeNotice';

/** A sentence of a prompt in the language of the screens. */
export const asked = (prompt: Prompt, part: Part): string => translate(prompt.says?.[part], prompt[part] ?? '');

/** The title of the thing that a prompt is about. */
export const titleOf = ({ says, target }: Prompt): string => translate(says?.title, target?.title ?? '');

const isLabel = (label: string): label is keyof typeof labels => Object.hasOwn(labels, label);

/** The name of a fact or a field: of ours, of a field by its path, or as it came. */
export const labelWords = ({ label, labelSays }: Pick<Fact, 'label' | 'labelSays'>): string =>
  translate(labelSays ?? { key: `labels.${label}` }, !labelSays && isLabel(label) ? labels[label] : label);
