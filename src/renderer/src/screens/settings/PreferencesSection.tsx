import { siteCurrencies } from '../../../../contract/currency.ts';
import { t } from '../../i18n.ts';
import { getSiteCountryName, formatCentsInput } from '../../components/text/format.ts';
import { NativeSelect } from '@mantine/core';
import type { CallInput } from '../../../../ipc/calls.ts';
import type { AppState } from '../../api/call.ts';
import { TemplateSelect } from '../items/TemplateSelect.tsx';
import { useSaveSettings } from '../../api/queries.ts';
import { languages } from '../../../../i18n/languages.ts';
import { SettingsSection } from './SettingsSection.tsx';

/** With the empty value, the service chooses the site. */
const listSiteChoices = () => [
  { value: '', label: t('settings.siteService') },
  ...Object.keys(siteCurrencies).map((site) => ({ value: site, label: getSiteCountryName(site) })),
];

type Settings = AppState['settings'];
type Choice = { value: string; label: string };
type PreferenceRow = {
  label: string;
  description: string;
  value: (settings: Settings) => string;
  choices: Choice[];
  change: (value: string) => CallInput<'app.settings'>;
};

const themes = { system: 'settings.asSystem', light: 'settings.light', dark: 'settings.dark' } as const;
const isThemeValue = (value: string): value is Settings['theme'] => value in themes;
const isLanguageValue = (value: string): value is Settings['language'] => value === 'system' || value in languages;

const createMinutesChoice = (count: number): Choice => ({
  value: String(count),
  label: count < 60 ? t('settings.minutes', { count }) : t('settings.hours', { count: count / 60 }),
});

const createLimitChoice = (minor: number): Choice => ({
  value: String(minor),
  label: t('settings.upTo', { amount: formatCentsInput(minor) }),
});

const listPreferenceRows = (): PreferenceRow[] => [
  {
    label: t('settings.language'),
    description: t('settings.languageHelp'),
    value: (settings) => settings.language,
    choices: [
      { value: 'system', label: t('settings.asSystem') },
      ...Object.entries(languages).map(([value, label]) => ({ value, label })),
    ],
    change: (value) => (isLanguageValue(value) ? { language: value } : {}),
  },
  {
    label: t('settings.theme'),
    description: t('settings.themeHelp'),
    value: (settings) => settings.theme,
    choices: Object.entries(themes).map(([value, key]) => ({ value, label: t(key) })),
    change: (value) => (isThemeValue(value) ? { theme: value } : {}),
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
    choices: [...[5, 15, 30, 60, 480].map(createMinutesChoice), { value: '1440', label: t('settings.day') }],
    change: (value) => ({ approvalMinutes: Number(value) }),
  },
  {
    label: t('settings.fromNotification'),
    description: t('settings.fromNotificationHelp'),
    value: ({ publishFromNotificationMinor: most }) => (most === null ? '' : String(most)),
    choices: [
      { value: '', label: t('settings.never') },
      { value: '0', label: t('settings.onlyFree') },
      ...[50, 100, 500].map(createLimitChoice),
    ],
    change: (value) => ({ publishFromNotificationMinor: value === '' ? null : Number(value) }),
  },
  {
    label: t('settings.site'),
    description: t('settings.siteHelp'),
    value: (settings) => settings.marketplaceId ?? '',
    choices: listSiteChoices(),
    change: (value) => ({ marketplaceId: value === '' ? null : value }),
  },
];

const listRowChoices = (row: PreferenceRow, settings: Settings): Choice[] => {
  const value = row.value(settings);
  return row.choices.some((choice) => choice.value === value) ? row.choices : [...row.choices, { value, label: value }];
};

/** The setting is '' for no template and null for the default template. */
export const parseTemplateSetting = (setting: string | null): string | null | undefined =>
  setting === null ? undefined : setting || null;
export const toTemplateSetting = (chosen: string | null | undefined): string | null =>
  chosen === undefined ? null : (chosen ?? '');

export const PreferencesSection = ({ settings }: { settings: Settings }) => {
  const save = useSaveSettings();
  return (
    <SettingsSection title={t('settings.preferences')} error={save.error}>
      {listPreferenceRows().map((row) => (
        <NativeSelect
          key={row.label}
          label={row.label}
          description={row.description}
          data={listRowChoices(row, settings)}
          value={row.value(settings)}
          onChange={(event) => save.mutate(row.change(event.currentTarget.value))}
        />
      ))}
      <TemplateSelect
        label={t('templates.usual')}
        description={t('templates.usualHelp')}
        usual={t('templates.last')}
        chosen={parseTemplateSetting(settings.templateId)}
        onChoose={(chosen) => save.mutate({ templateId: toTemplateSetting(chosen) })}
      />
    </SettingsSection>
  );
};
