import type { FieldChange, Prompt } from '../storage/tables/approvalRecord.ts';
import { formatFeeText } from './prompts/renderPromptContent.ts';
import { createSentLabel, formatFieldValue, createFactLabel } from './prompts/values.ts';
import { formatEnglishText, formatEnglishMoney } from '../../i18n/english.ts';
import { createMessage, type Message } from '../../i18n/message.ts';
import { createPathKey, type Difference } from './subject.ts';

type PromptLine = Pick<FieldChange, 'label' | 'labelSays' | 'foreign'> & { text: string; says?: Message | undefined };

const changedWithoutValues = {
  before: formatEnglishText('values.asBefore'),
  after: formatEnglishText('values.changed'),
  says: { before: createMessage('values.asBefore'), after: createMessage('values.changed') },
};

const createFeeMessage = ({ state }: NonNullable<Prompt['money']>): Message | undefined =>
  state === 'fee' ? undefined : createMessage(state === 'free' ? 'values.free' : 'values.unchecked');

/** The key of a line does not depend on its value, so that the lines of two prompts can be compared. */
const listPromptLines = ({ facts, changes, money, feeNotice }: Prompt): Map<string, PromptLine> => {
  const foreign = new Set(['specifics', 'policies', 'templates']);
  return new Map<string, PromptLine>([
    ...facts.map(({ namespace, key, label, labelSays, value, says, foreign: raw }): [string, PromptLine] => [
      `${namespace} ${key}`,
      {
        label,
        labelSays,
        text: value,
        says,
        ...((raw || foreign.has(namespace)) && !labelSays ? { foreign: true } : {}),
      },
    ]),
    ...changes.map(({ key, label, labelSays, before, after, says, foreign: raw }): [string, PromptLine] => [
      `change ${key}`,
      {
        label,
        labelSays,
        text: before === '' ? after : `${before} → ${after}`,
        says: before === '' ? says?.after : undefined,
        foreign: raw,
      },
    ]),
    ...(money
      ? ([
          ['fee', { ...createFactLabel('fee'), text: formatFeeText(money), says: createFeeMessage(money) }],
          [
            'fee lines',
            {
              ...createFactLabel('feeLines'),
              text: money.lines
                .map((line) => `${line.name} ${formatEnglishMoney(line.amountMinor, money.currency)}`)
                .join(', '),
            },
          ],
        ] satisfies [string, PromptLine][])
      : []),
    [
      'fee notice',
      feeNotice
        ? {
            ...createFactLabel('feeNotice'),
            text: formatEnglishText('values.toBeAgreed'),
            says: createMessage('values.toBeAgreed'),
          }
        : {
            ...createFactLabel('feeNotice'),
            text: formatEnglishText('values.agreed'),
            says: createMessage('values.agreed'),
          },
    ],
  ]);
};

const compareLines = (key: string, was: PromptLine | undefined, is: PromptLine | undefined): FieldChange[] => {
  if ((was?.text ?? '') === (is?.text ?? '')) return [];
  const says = was?.says || is?.says ? { says: { before: was?.says, after: is?.says } } : {};
  const { label = key, labelSays } = is ?? was ?? {};
  const foreign = (is ?? was)?.foreign ? { foreign: true } : {};
  return [
    {
      key,
      label,
      ...(labelSays ? { labelSays } : {}),
      before: was?.text ?? '',
      after: is?.text ?? '',
      ...foreign,
      ...says,
    },
  ];
};

/** Describes a difference that no line of the prompts shows, such as other photos or another key. */
const describeSubjectDifference = ({ path, before, after }: Difference): FieldChange => {
  const [part = '', field = ''] = path;
  if (part === 'photos') return { key: 'photos', ...createFactLabel('photos'), ...changedWithoutValues };
  if (part === 'key') return { key: 'key', ...createFactLabel('connection'), ...changedWithoutValues };
  const own = part === 'listing' ? [field] : path.filter((name) => !/^\d+$/.test(name)).slice(-1);
  const [was, is] = [before, after].map((value) => formatFieldValue(own.join('.'), value));
  return {
    key: createPathKey(path),
    ...createSentLabel(own),
    before: was?.text ?? '',
    after: is?.text ?? '',
    says: { before: was?.says, after: is?.says },
  };
};

/** The lines of the prompt already show differences in these parts of the subject. */
const shownByLines = new Set(['quote', 'feeNotice', 'first', 'request']);

/** Compares the lines of two prompts. Uses `differences` only for what no line shows. */
export const listShownChanges = (before: Prompt, after: Prompt, differences: readonly Difference[]): FieldChange[] => {
  const [was, is] = [listPromptLines(before), listPromptLines(after)];
  const shown = [...new Set([...was.keys(), ...is.keys()])].flatMap((key) =>
    compareLines(key, was.get(key), is.get(key)),
  );
  const shownPaths = new Set(shown.map(({ key }) => key.slice(key.indexOf(' ') + 1)));
  const rest = differences
    .filter(
      ({ path }) =>
        !shownByLines.has(path[0] ?? '') && !(path[0] === 'listing' && shownPaths.has(createPathKey(path.slice(1)))),
    )
    .filter(({ path }) => !(path[0] === 'photos' && shownPaths.has('photos')))
    .filter(({ path }) => path[0] !== 'context' || shown.length === 0)
    .map(describeSubjectDifference);
  const once = new Map(rest.map((change) => [change.key, change]));
  return [...shown, ...once.values()];
};
