import { siteCurrencies } from '../../../../contract/currency.ts';
import { t } from '../../i18n.ts';
import { regionName, centsToText } from '../../components/text/format.ts';
import { NativeSelect } from '@mantine/core';
import type { CallInput } from '../../../../ipc/calls.ts';
import { sentenceOf, type AppState } from '../../api/call.ts';
import { ProblemLine } from '../../components/Page.tsx';
import { TemplateSelect } from '../items/BeginWith.tsx';
import { useSaveSettings } from '../../api/queries.ts';
import { languages } from '../../../../i18n/languages.ts';
import styles from './settings.module.css';

/** The choices of the site setting; the first one leaves the site to the service. */
const siteChoices = () => [
  { value: '', label: t('settings.siteService') },
  ...Object.keys(siteCurrencies).map((site) => ({ value: site, label: regionName(site) })),
];

type Settings = AppState['settings'];
type Choice = { value: string; label: string };
type Row = {
  label: string;
  description: string;
  value: (settings: Settings) => string;
  choices: Choice[];
  change: (value: string) => CallInput<'app.settings'>;
};

const themes = { system: 'settings.asSystem', light: 'settings.light', dark: 'settings.dark' } as const;
const isTheme = (value: string): value is Settings['theme'] => value in themes;
const isLanguage = (value: string): value is Settings['language'] => value === 'system' || value in languages;

const minutes = (count: number): Choice => ({
  value: String(count),
  label: count < 60 ? t('settings.minutes', { count }) : t('settings.hours', { count: count / 60 }),
});

const upTo = (minor: number): Choice => ({
  value: String(minor),
  label: t('settings.upTo', { amount: centsToText(minor) }),
});

const rows = (): Row[] => [
  {
    label: t('settings.language'),
    description: t('settings.languageHelp'),
    value: (settings) => settings.language,
    choices: [
      { value: 'system', label: t('settings.asSystem') },
      ...Object.entries(languages).map(([value, label]) => ({ value, label })),
    ],
    change: (value) => (isLanguage(value) ? { language: value } : {}),
  },
  {
    label: t('settings.theme'),
    description: t('settings.themeHelp'),
    value: (settings) => settings.theme,
    choices: Object.entries(themes).map(([value, key]) => ({ value, label: t(key) })),
    change: (value) => (isTheme(value) ? { theme: value } : {}),
  },
  {
    label: t('settings.photoSize'),
    description: t('settings.photoSizeHelp'),
    value: (settings) => String(settings.longEdgePx),
    choices: [1280, 1600, 2000, 2400].map((px) => ({ value: String(px), label: t('settings.pixels', { count: px }) })),
    change: (value) => ({ longEdgePx: Number(value) }),
  },
  {
    label: t('settings.decision'),
    description: t('settings.decisionHelp'),
    value: (settings) => String(settings.approvalMinutes),
    choices: [...[5, 15, 30, 60, 480].map(minutes), { value: '1440', label: t('settings.day') }],
    change: (value) => ({ approvalMinutes: Number(value) }),
  },
  {
    label: t('settings.fromNotification'),
    description: t('settings.fromNotificationHelp'),
    value: ({ publishFromNotificationMinor: most }) => (most === null ? '' : String(most)),
    choices: [
      { value: '', label: t('settings.never') },
      { value: '0', label: t('settings.onlyFree') },
      ...[50, 100, 500].map(upTo),
    ],
    change: (value) => ({ publishFromNotificationMinor: value === '' ? null : Number(value) }),
  },
  {
    label: t('settings.site'),
    description: t('settings.siteHelp'),
    value: (settings) => settings.marketplaceId ?? '',
    choices: siteChoices(),
    change: (value) => ({ marketplaceId: value === '' ? null : value }),
  },
];

/** Keeps a saved value visible even if it is not among the choices. */
const choicesOf = (row: Row, settings: Settings): Choice[] => {
  const value = row.value(settings);
  return row.choices.some((choice) => choice.value === value) ? row.choices : [...row.choices, { value, label: value }];
};

/** Converts a stored template setting: '' means no template, null means the default. */
export const chosenOf = (setting: string | null): string | null | undefined =>
  setting === null ? undefined : setting || null;
export const settingOf = (chosen: string | null | undefined): string | null =>
  chosen === undefined ? null : (chosen ?? '');

/** Language, theme, photo size, approvals, site and template; each is saved as soon as it is chosen. */
export const Preferences = ({ settings }: { settings: Settings }) => {
  const save = useSaveSettings();
  return (
    <section aria-label={t('settings.preferences')} className={styles.preferences}>
      {rows().map((row) => (
        <NativeSelect
          key={row.label}
          label={row.label}
          description={row.description}
          data={choicesOf(row, settings)}
          value={row.value(settings)}
          onChange={(event) => save.mutate(row.change(event.currentTarget.value))}
        />
      ))}
      <TemplateSelect
        label={t('templates.usual')}
        description={t('templates.usualHelp')}
        usual={t('templates.last')}
        chosen={chosenOf(settings.templateId)}
        onChoose={(chosen) => save.mutate({ templateId: settingOf(chosen) })}
      />
      {save.error && <ProblemLine>{sentenceOf(save.error)}</ProblemLine>}
    </section>
  );
};
