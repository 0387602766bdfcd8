import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';
import { call } from '../../api/call.ts';
import { sentenceOf } from '../../api/callError.ts';
import type { AppState } from '../../api/types.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { siteChoices } from './sites.ts';
import styles from './settings.module.css';

type Settings = AppState['settings'];
type Choice = { value: string; label: string };
type Row = {
  label: string;
  description: string;
  value: (settings: Settings) => string;
  choices: Choice[];
  change: (value: string) => CallInput<'app.settings'>;
};

const themes = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;
const isTheme = (value: string): value is Settings['theme'] => value in themes;

const rows: Row[] = [
  {
    label: 'Theme',
    description: 'How the companion looks.',
    value: (settings) => settings.theme,
    choices: Object.entries(themes).map(([value, label]) => ({ value, label })),
    change: (value) => (isTheme(value) ? { theme: value } : {}),
  },
  {
    label: 'Photo size',
    description: 'The long edge of photos that are sent. The originals stay untouched.',
    value: (settings) => String(settings.longEdgePx),
    choices: [1280, 1600, 2000, 2400].map((px) => ({ value: String(px), label: `${px} pixels` })),
    change: (value) => ({ longEdgePx: Number(value) }),
  },
  {
    label: 'Time for a decision',
    description: 'How long a question waits for your answer.',
    value: (settings) => String(settings.approvalMinutes),
    choices: [
      { value: '5', label: '5 minutes' },
      { value: '15', label: '15 minutes' },
      { value: '30', label: '30 minutes' },
      { value: '60', label: '1 hour' },
      { value: '480', label: '8 hours' },
      { value: '1440', label: '1 day' },
    ],
    change: (value) => ({ approvalMinutes: Number(value) }),
  },
  {
    label: 'Publish from a notification',
    description: 'A notification may carry the yes when the fee is no higher than this, in the currency of the site.',
    value: ({ publishFromNotificationMinor: most }) => (most === null ? '' : String(most)),
    choices: [
      { value: '', label: 'Never, only in the window' },
      { value: '0', label: 'Only when it is free' },
      { value: '50', label: 'Up to 0.50' },
      { value: '100', label: 'Up to 1.00' },
      { value: '500', label: 'Up to 5.00' },
    ],
    change: (value) => ({ publishFromNotificationMinor: value === '' ? null : Number(value) }),
  },
  {
    label: 'Site of new listings',
    description: 'Where new items are meant to be sold.',
    value: (settings) => settings.marketplaceId ?? '',
    choices: siteChoices,
    change: (value) => ({ marketplaceId: value === '' ? null : value }),
  },
];

/** A value that is set but not among the choices stays visible as itself. */
const choicesOf = (row: Row, settings: Settings): Choice[] => {
  const value = row.value(settings);
  return row.choices.some((choice) => choice.value === value) ? row.choices : [...row.choices, { value, label: value }];
};

/** Theme, photos, decisions and site; each is kept as soon as it is chosen. */
export const Preferences = ({ settings }: { settings: Settings }) => {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (change: CallInput<'app.settings'>) => call('app.settings', change),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
  return (
    <section aria-label="Preferences" className={styles.preferences}>
      {rows.map((row) => (
        <NativeSelect
          key={row.label}
          label={row.label}
          description={row.description}
          data={choicesOf(row, settings)}
          value={row.value(settings)}
          onChange={(event) => save.mutate(row.change(event.currentTarget.value))}
        />
      ))}
      {save.error && <ProblemLine>{sentenceOf(save.error)}</ProblemLine>}
    </section>
  );
};
