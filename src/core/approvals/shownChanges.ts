import type { Change, Prompt } from '../storage/tables/approvalRecord.ts';
import { feeText } from './prompts/draw.ts';
import { sentLabel, valueText, ownLabel } from './prompts/values.ts';
import { englishText, formatEnglishMoney } from '../../i18n/english.ts';
import { message, type Message } from '../../i18n/message.ts';
import { pathKey, type Difference } from './subject.ts';

type Line = Pick<Change, 'label' | 'labelSays' | 'foreign'> & { text: string; says?: Message | undefined };

const withoutValues = {
  before: englishText('values.asBefore'),
  after: englishText('values.changed'),
  says: { before: message('values.asBefore'), after: message('values.changed') },
};

const feeSays = ({ state }: NonNullable<Prompt['money']>): Message | undefined =>
  state === 'fee' ? undefined : message(state === 'free' ? 'values.free' : 'values.unchecked');

/** Returns everything that can differ between two prompts, by a key that is equal in both. */
const linesOf = ({ facts, changes, money, feeNotice }: Prompt): Map<string, Line> => {
  const foreign = new Set(['specifics', 'policies', 'templates']);
  return new Map<string, Line>([
    ...facts.map(({ namespace, key, label, labelSays, value, says, foreign: raw }): [string, Line] => [
      `${namespace} ${key}`,
      {
        label,
        labelSays,
        text: value,
        says,
        ...((raw || foreign.has(namespace)) && !labelSays ? { foreign: true } : {}),
      },
    ]),
    ...changes.map(({ key, label, labelSays, before, after, says, foreign: raw }): [string, Line] => [
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
          ['fee', { ...ownLabel('fee'), text: feeText(money), says: feeSays(money) }],
          [
            'fee lines',
            {
              ...ownLabel('feeLines'),
              text: money.lines
                .map((line) => `${line.name} ${formatEnglishMoney(line.amountMinor, money.currency)}`)
                .join(', '),
            },
          ],
        ] satisfies [string, Line][])
      : []),
    [
      'fee notice',
      feeNotice
        ? { ...ownLabel('feeNotice'), text: englishText('values.toBeAgreed'), says: message('values.toBeAgreed') }
        : { ...ownLabel('feeNotice'), text: englishText('values.agreed'), says: message('values.agreed') },
    ],
  ]);
};

const changeOf = (key: string, was: Line | undefined, is: Line | undefined): Change[] => {
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

/** Describes a difference that the prompts do not show, such as other photos or another key. */
const changeOfSubject = ({ path, before, after }: Difference): Change => {
  const [part = '', field = ''] = path;
  if (part === 'photos') return { key: 'photos', ...ownLabel('photos'), ...withoutValues };
  if (part === 'key') return { key: 'key', ...ownLabel('connection'), ...withoutValues };
  const own = part === 'listing' ? [field] : path.filter((name) => !/^\d+$/.test(name)).slice(-1);
  const [was, is] = [before, after].map((value) => valueText(own.join('.'), value, null));
  return {
    key: pathKey(path),
    ...sentLabel(own),
    before: was?.text ?? '',
    after: is?.text ?? '',
    says: { before: was?.says, after: is?.says },
  };
};

/** Parts of the subject whose differences are visible in the prompts. */
const shownByLines = new Set(['quote', 'feeNotice', 'first', 'request']);

/** Returns the differences between two prompts of one request as texts: from their lines, and otherwise from the subjects. */
export const shownChanges = (before: Prompt, after: Prompt, differences: readonly Difference[]): Change[] => {
  const [was, is] = [linesOf(before), linesOf(after)];
  const shown = [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => changeOf(key, was.get(key), is.get(key)));
  const shownPaths = new Set(shown.map(({ key }) => key.slice(key.indexOf(' ') + 1)));
  const rest = differences
    .filter(
      ({ path }) =>
        !shownByLines.has(path[0] ?? '') && !(path[0] === 'listing' && shownPaths.has(pathKey(path.slice(1)))),
    )
    .filter(({ path }) => !(path[0] === 'photos' && shownPaths.has('photos')))
    .filter(({ path }) => path[0] !== 'context' || shown.length === 0)
    .map(changeOfSubject);
  const once = new Map(rest.map((change) => [change.key, change]));
  return [...shown, ...once.values()];
};
