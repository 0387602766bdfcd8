import type { PromptFact, Prompt } from '../../../src/core/storage/tables/approvalRecord.ts';
import { createMessageTranslator } from '../../../src/i18n/format.ts';
import type { Message } from '../../../src/i18n/message.ts';
import de from '../../../src/i18n/locales/de/core.json' with { type: 'json' };
import en from '../../../src/i18n/locales/en/core.json' with { type: 'json' };

export const promptTranslators = { en: createMessageTranslator('en-GB', en), de: createMessageTranslator('de', de) };
export type PromptLanguage = keyof typeof promptTranslators;

/** Returns the text of a prompt in a language, one line per part. */
export const formatPromptLines = (prompt: Prompt, language: PromptLanguage): string[] => {
  const say = (says: Message | undefined, text: string): string =>
    ((says && promptTranslators[language](says)) ?? text).replaceAll('\u00a0', ' ');
  const label = ({ label: text, labelSays }: Pick<PromptFact, 'label' | 'labelSays'>) => say(labelSays, text);
  const { says = {}, facts, changes, money, target } = prompt;
  return [
    `# ${say(says.act, prompt.act)}`,
    say(says.consequence, prompt.consequence),
    ...(target ? [`[${say(says.title, target.title)}]`] : []),
    ...facts.map((fact) => `${fact.namespace}: ${label(fact)} = ${say(fact.says, fact.value)}`),
    ...changes.map(
      (change) =>
        `${label(change)}: ${say(change.says?.before, change.before)} → ${say(change.says?.after, change.after)}`,
    ),
    ...(money?.lines ?? []).map((line) => `${say(line.says, line.name)} ${line.amountMinor}`),
    ...(prompt.feeNotice === null ? [] : [say(says.feeNotice, prompt.feeNotice)]),
    say(says.undo, prompt.undo),
    `(${say(says.yes, prompt.yes)})`,
  ];
};
