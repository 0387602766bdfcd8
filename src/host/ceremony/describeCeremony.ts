import type { DrawnApproval, DrawnCeremony } from '../../core/presence/ceremonies.ts';
import type { Total } from '../../core/presence/proof.ts';
import type { CeremonyRow, CeremonyView } from '../../ipc/ceremonyPage.ts';
import type { CeremonyTexts } from './ceremonyTexts.ts';
import { describeCall, toForeignLine } from './describeCall.ts';

const formatTotal = ({ format, formatMoney }: CeremonyTexts, { amounts, unknown }: Total): string => {
  const parts = [
    ...amounts.map(({ currency, minor }) => formatMoney(minor, currency)),
    ...(unknown === 0 ? [] : [format('ceremony.feesUnknown', { count: unknown })]),
  ];
  return parts.length === 0 ? format('ceremony.noFee') : parts.join(' + ');
};

const formatAskers = ({ format }: CeremonyTexts, approvals: readonly DrawnApproval[]): string => {
  const names = approvals.map(({ asker }) =>
    asker.kind === 'person' ? format('values.you') : toForeignLine(asker.name),
  );
  return [...new Set(names)].join('\n');
};

const registrationHeadings = {
  passkey: 'ceremony.headingPasskey',
  system: 'ceremony.headingSystem',
  pin: 'ceremony.headingPin',
} as const;

/**
 * Describes every value that the request sends or changes, because a program might have changed what the window shows.
 */
const listApprovalLines = (
  { format, translate }: CeremonyTexts,
  { mainFact, mainFactSays, changes, facts }: DrawnApproval,
): string[] => [
  ...(mainFact === null || changes.length > 0 ? [] : [translate(mainFactSays, mainFact)]),
  ...changes.map(({ label, labelSays, before, after, says }) => {
    const values = { before: translate(says?.before, before), after: translate(says?.after, after) };
    return `${translate(labelSays, label)}: ${format('values.changes', values)}`;
  }),
  ...facts.map(({ label, labelSays, value, says }) => `${translate(labelSays, label)}: ${translate(says, value)}`),
];

const describeApproval = (texts: CeremonyTexts, approval: DrawnApproval, photoPath: string): CeremonyRow => {
  const { act, actSays, title, photoUrl } = approval;
  return {
    act: texts.translate(actSays, act),
    title: title === null ? null : toForeignLine(title),
    lines: listApprovalLines(texts, approval).map(toForeignLine),
    photo: photoUrl === null ? null : photoPath,
  };
};

/** Describes what the person confirms. `createPhotoPath` returns the path of a row's picture on the page's server. */
export const describeCeremony = (
  drawn: DrawnCeremony,
  texts: CeremonyTexts,
  createPhotoPath: (row: number) => string,
): CeremonyView => {
  const { format } = texts;
  if (drawn.of === 'approvals')
    return {
      heading: format('ceremony.heading'),
      rows: drawn.approvals.map((approval, row) => describeApproval(texts, approval, createPhotoPath(row))),
      facts: [
        { label: format('ceremony.total'), value: formatTotal(texts, drawn.total) },
        { label: format('ceremony.askedBy'), value: formatAskers(texts, drawn.approvals) },
      ],
    };
  if (drawn.of === 'call') return { heading: format('ceremony.heading'), ...describeCall(drawn, texts) };
  return {
    heading: format(registrationHeadings[drawn.kind]),
    rows: [],
    facts: drawn.label === '' ? [] : [{ label: format('labels.name'), value: toForeignLine(drawn.label) }],
  };
};
