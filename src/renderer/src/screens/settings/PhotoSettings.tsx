import { SettingsSection } from './SettingsSection.tsx';
import { useCoreQuery } from '../../api/useCall.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useId, useState } from 'react';
import type { CallAnswer, CallInput } from '../../../../ipc/calls.ts';
import { callCore, type AppState } from '../../api/call.ts';
import { ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { FactLines } from '../../components/fields/SettingLines.tsx';
import { FieldFrame, onCtrlEnter, useDraftField } from '../../components/fields/DraftField.tsx';
import { formatBytes, formatMinorAmount } from '../../components/text/format.ts';
import { useSaveSettings } from '../../api/queries.ts';
import { t, translateMessage } from '../../i18n.ts';
import { TemplateSelect } from '../items/TemplateSelect.tsx';
import { parseTemplateSetting, toTemplateSetting } from './PreferencesSection.tsx';
import styles from './settings.module.css';

type SaveSettings = (change: CallInput<'app.settings'>) => void;
type DiskUse = CallAnswer<'photos.diskUse'>;

const WatchFolderForm = ({ state, save, busy }: { state: AppState; save: SaveSettings; busy: boolean }) => {
  const kept = state.settings.watchFolder;
  const form = useForm({ initialValues: { path: kept ?? '' } });
  const path = form.values.path.trim();
  // A folder that had a problem can be saved again.
  const asBefore = path === kept && state.watch?.code === undefined;
  const onSubmit = form.onSubmit(() => save({ watchFolder: path === '' ? null : path }));
  return (
    <form className={styles.aside} onSubmit={onSubmit} aria-label={t('photo.settings.watch')}>
      <TextInput
        flex="1 1 240px"
        label={t('photo.settings.watch')}
        description={t('photo.settings.watchHelp')}
        {...form.getInputProps('path')}
      />
      <Button type="submit" loading={busy} disabled={path === '' || asBefore}>
        {t('photo.settings.watchOn')}
      </Button>
      {kept !== null && (
        <Button
          variant="quiet"
          onClick={() => {
            form.setValues({ path: '' });
            save({ watchFolder: null });
          }}
        >
          {t('photo.settings.watchOff')}
        </Button>
      )}
      {kept !== null && (
        <TemplateSelect
          label={t('templates.watched')}
          usual={t('templates.asOthers')}
          chosen={parseTemplateSetting(state.settings.watchTemplateId)}
          onChoose={(chosen) => save({ watchTemplateId: toTemplateSetting(chosen) })}
        />
      )}
      {state.watch?.problem && (
        <ProblemLine>
          <UntrustedText text={translateMessage(state.watch.says, state.watch.problem)} />
        </ProblemLine>
      )}
      {state.watch?.left && (
        <ProblemLine>
          <UntrustedText text={translateMessage(state.watch.left.says, state.watch.left.sentence)} />
        </ProblemLine>
      )}
    </form>
  );
};

const listDiskFacts = (use: DiskUse): [string, string][] => [
  [
    t('photo.settings.prepared'),
    t('photo.settings.files', { count: use.preparedFiles, size: formatBytes(use.preparedBytes) }),
  ],
  [t('photo.settings.copies'), t('photo.settings.files', { count: use.copies, size: formatBytes(use.copiesBytes) })],
];

const DiskUseSection = () => {
  const client = useQueryClient();
  const use = useCoreQuery(['diskUse'], 'photos.diskUse', {}, { staleTime: 0 }).data;
  const clean = useMutation({
    mutationFn: () => callCore('photos.cleanUp', {}),
    onSuccess: (left) => client.setQueryData(['diskUse'], left),
  });
  if (!use) return null;
  return (
    <>
      <FactLines facts={listDiskFacts(use)} />
      <div className={styles.line}>
        <Button loading={clean.isPending} onClick={() => clean.mutate()}>
          {t('photo.settings.cleanUp')}
        </Button>
        <span className={styles.small}>{t('photo.settings.cleanUpHelp')}</span>
      </div>
      <ErrorLine error={clean.error} />
    </>
  );
};

type ShelfPattern = 'skuPattern' | 'folderPattern';

type PatternFieldProps = { name: ShelfPattern; state: AppState; onType?: (text: string) => void };

/** The saved pattern stays in use until the typed one is valid. */
const PatternField = ({ name, state, onType }: PatternFieldProps) => {
  const id = useId();
  const client = useQueryClient();
  const field = useDraftField({
    saved: state.settings[name],
    tidy: (text) => text.trim(),
    save: async (text) => void client.setQueryData(['app'], await callCore('app.settings', { [name]: text })),
  });
  return (
    <FieldFrame
      id={id}
      label={t(`shelf.${name}`)}
      note={field.note}
      problems={field.problem === null ? [] : [t('shelf.patternProblem')]}
    >
      <TextInput
        id={id}
        description={t(`shelf.${name}Help`)}
        value={field.text}
        onChange={({ currentTarget: { value } }) => {
          field.type(value);
          onType?.(value);
        }}
        onBlur={() => void field.commit()}
        onKeyDown={onCtrlEnter(field.commit)}
        error={field.problem !== null}
        aria-describedby={`${id}-problems`}
      />
    </FieldFrame>
  );
};

const typingPauseMs = 150;

/** Shows how the typed pattern reads the last folder names. While it is invalid, the last valid one is shown. */
const FolderPreview = ({ typed }: { typed: string }) => {
  const [folderPattern] = useDebouncedValue(typed.trim(), typingPauseMs);
  const input = { folderPattern };
  const { data } = useCoreQuery(['app', 'folderNames', input], 'shelf.folderNames', input, { retry: false });
  const [folders, setFolders] = useState(data ?? []);
  if (data !== undefined && data !== folders) setFolders(data);
  if (folders.length === 0) return null;
  return (
    <div>
      <h3>{t('shelf.folderPreview')}</h3>
      <ul aria-label={t('shelf.folderPreview')}>
        {folders.map(({ folderName, words, fields: { place, sku, cost } }) => (
          <li key={folderName} className={styles.small}>
            <UntrustedText
              text={[words, place, sku, cost && formatMinorAmount(cost.minor, cost.currency)]
                .filter(Boolean)
                .join(' · ')}
              fold={200}
            />
          </li>
        ))}
      </ul>
    </div>
  );
};

const ShelfSettings = ({ state }: { state: AppState }) => {
  const [typed, setTyped] = useState(state.settings.folderPattern);
  return (
    <SettingsSection title={t('shelf.title')}>
      <PatternField name="skuPattern" state={state} />
      <PatternField name="folderPattern" state={state} onType={setTyped} />
      <FolderPreview typed={typed} />
    </SettingsSection>
  );
};

export const PhotoSettings = ({ state }: { state: AppState }) => {
  const { mutate, isPending, error } = useSaveSettings();
  const { photoFormat, groupingReview, watchFolder } = state.settings;
  return (
    <>
      <SettingsSection title={t('parts.photos.title')}>
        <NativeSelect
          label={t('photo.settings.format')}
          description={t('photo.settings.formatHelp')}
          data={[
            { value: 'jpeg', label: 'JPEG' },
            { value: 'webp', label: 'WebP' },
          ]}
          value={photoFormat}
          onChange={(event) => mutate({ photoFormat: event.currentTarget.value === 'webp' ? 'webp' : 'jpeg' })}
        />
        <NativeSelect
          label={t('photo.settings.guesses')}
          description={t('photo.settings.guessesHelp')}
          data={[
            { value: 'ask', label: t('photo.settings.guessesAsk') },
            { value: 'start', label: t('photo.settings.guessesStart') },
          ]}
          value={groupingReview ? 'ask' : 'start'}
          onChange={(event) => mutate({ groupingReview: event.currentTarget.value === 'ask' })}
        />
        <WatchFolderForm key={watchFolder} state={state} save={mutate} busy={isPending} />
        <ErrorLine error={error} />
        <DiskUseSection />
      </SettingsSection>
      <ShelfSettings state={state} />
    </>
  );
};
