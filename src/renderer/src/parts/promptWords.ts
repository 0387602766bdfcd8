import type { Prompt } from '../api/types.ts';
import { labels } from '../../../words/en/facts.ts';
import { told } from '../i18n/told.ts';

type Part = 'act' | 'consequence' | 'undo' | 'yes' | 'feeNotice';

/** A sentence of a prompt in the language of the screens. */
export const asked = (prompt: Prompt, part: Part): string => told(prompt.says?.[part], prompt[part] ?? '');

/** The title of the thing that a prompt is about. */
export const titleOf = ({ says, target }: Prompt): string => told(says?.title, target?.title ?? '');

const ofChange = /^Change of (.+)$/;

const isLabel = (label: string): label is keyof typeof labels => Object.hasOwn(labels, label);

/** The name of a fact or a field; what is no name of ours, as an item specific, stays as it is. */
export const labelWords = (label: string): string => {
  const field = ofChange.exec(label)?.[1];
  return field === undefined
    ? told({ key: `labels.${label}` }, isLabel(label) ? labels[label] : label)
    : told({ key: 'prompts.changeOf', values: { label: labelWords(field) } }, label);
};
