import { SettingsSection } from '../settings/SettingsSection.tsx';
import { callCore, CallError } from '../../api/call.ts';
import { formatFieldLabel } from '../../api/unknownRecord.ts';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { SwitchLine } from '../../components/fields/SettingLines.tsx';
import {
  useMessagePreferences,
  type MessageChannel,
  useAccountChangeRequest,
  useAccountUser,
  type UserFieldProps,
} from './useAccount.ts';
import { screens, t } from '../../i18n.ts';
import styles from '../settings/settings.module.css';
import own from './account.module.css';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { resolveFileSource } from '../../api/addPhotos.ts';
import pickStyles from '../items/pick.module.css';
import { formatLanguageCode } from '../../components/text/format.ts';
import { onCtrlEnter, useDraftField } from '../../components/fields/DraftField.tsx';
import { languageCodes } from '../../../../i18n/languages.ts';

const known = screens.account.mails.kind;
const isKnownPreference = (kind: string): kind is keyof typeof known => Object.hasOwn(known, kind);
const formatPreferenceLabel = (kind: string): string =>
  isKnownPreference(kind) ? t(`account.mails.kind.${kind}`) : escapeHiddenText(formatFieldLabel(kind));

const MessageSwitches = ({ where }: { where: MessageChannel }) => {
  const { data, error, save } = useMessagePreferences(where);
  const problem = error ?? save.error;
  if (data?.length === 0) return null;
  const name = t(`account.mails.${where}`);
  return (
    <div className={own.switches} role="group" aria-label={name} aria-busy={!data && !problem}>
      <h3>{name}</h3>
      <ErrorLine error={problem} />
      {!data && !problem && <div className={styles.coming} />}
      {data?.map(([kind, on]) => (
        <SwitchLine key={kind} label={formatPreferenceLabel(kind)} on={on} set={(to) => save.mutate({ [kind]: to })} />
      ))}
    </div>
  );
};

export const MessagePreferences = () => (
  <SettingsSection title={t('account.mails.title')} help={t('account.mails.keep')}>
    <div className={own.beside}>
      <MessageSwitches where="email" />
      <MessageSwitches where="push" />
    </div>
  </SettingsSection>
);

const AvatarField = ({ user, userId }: UserFieldProps) => {
  const id = useId();
  const ask = useAccountChangeRequest();
  const [isKept, setKept] = useState(false);
  const dataUrl = user.avatar?.dataUrl ?? null;
  const saveAvatar = (avatar: string) =>
    ask.mutateAsync({ route: 'updateUser', input: { params: { userId }, body: { avatar } } });
  const change = useMutation({
    mutationFn: async (file: File | null) =>
      void (await saveAvatar(file === null ? '' : await callCore('photos.avatar', await resolveFileSource(file)))),
    onMutate: () => setKept(false),
    onSuccess: () => setKept(true),
  });
  return (
    <div className={own.avatar} role="group" aria-label={t('account.avatar.title')}>
      <span className={own.avatarPicture} style={dataUrl === null ? {} : { backgroundImage: `url("${dataUrl}")` }}>
        {dataUrl === null && <IconUser size={32} aria-hidden />}
      </span>
      <div className={own.avatarActs}>
        <span className={pickStyles.pick} data-small>
          <input
            id={id}
            type="file"
            accept="image/*,.heic,.heif,.hif,.avif,.tif,.tiff"
            aria-describedby={`${id}-help`}
            disabled={change.isPending}
            onChange={({ currentTarget: field }) => {
              const [file] = field.files ?? [];
              field.value = '';
              if (file) change.mutate(file);
            }}
          />
          <label htmlFor={id}>{t(user.avatar === null ? 'account.avatar.choose' : 'account.avatar.change')}</label>
        </span>
        {user.avatar !== null && (
          <Button variant="quiet" size="compact-sm" loading={change.isPending} onClick={() => change.mutate(null)}>
            {t('account.avatar.remove')}
          </Button>
        )}
        <p id={`${id}-help`} className={own.avatarHelp} role="status">
          {change.isPending ? t('account.avatar.sending') : t(isKept ? 'account.avatar.kept' : 'account.avatar.help')}
        </p>
        <ErrorLine error={change.error} />
      </div>
    </div>
  );
};

const NameField = ({ user, userId }: UserFieldProps) => {
  const ask = useAccountChangeRequest();
  const field = useDraftField({
    saved: user.name,
    check: (text) => (text.trim() === '' ? t('account.profile.nameWrong') : null),
    save: async (name) => {
      const { state } = await ask.mutateAsync({ route: 'updateUser', input: { params: { userId }, body: { name } } });
      if (state === 'pending') throw new CallError({ code: 'WAITING_FOR_YES', sentence: t('help.waits') });
    },
  });
  return (
    <TextInput
      label={t('account.profile.name')}
      description={field.note ?? t('account.profile.nameHelp')}
      autoComplete="name"
      value={field.text}
      error={field.problem}
      onChange={(event) => field.type(event.currentTarget.value)}
      onBlur={() => void field.commit()}
      onKeyDown={onCtrlEnter(field.commit)}
    />
  );
};

const LanguageField = ({ user, userId }: UserFieldProps) => {
  const ask = useAccountChangeRequest();
  // The service might support languages that `languageCodes` lacks, so the current language is always a choice.
  const codes = [...new Set([...(user.language === null ? [] : [user.language]), ...languageCodes])];
  return (
    <>
      <NativeSelect
        label={t('account.profile.language')}
        description={t('account.profile.languageHelp')}
        data={[
          ...(user.language === null ? [{ value: '', label: '–' }] : []),
          ...codes.map((code) => ({ value: code, label: formatLanguageCode(code) })),
        ]}
        value={user.language ?? ''}
        onChange={({ currentTarget: { value: language } }) =>
          ask.mutate({ route: 'updateUser', input: { params: { userId }, body: { language } } })
        }
      />
      <ErrorLine error={ask.error} />
    </>
  );
};

/** The switch shows the value of the service, so it changes only after the approval. */
const AutoDelistSwitch = ({ user, userId }: UserFieldProps) => {
  const ask = useAccountChangeRequest();
  if (user.autoDelist === null) return null;
  return (
    <>
      <SwitchLine
        label={t('account.profile.autoDelist')}
        help={t('account.profile.autoDelistHelp')}
        on={user.autoDelist}
        set={(autoDelistDefault) =>
          ask.mutate({ route: 'updateUser', input: { params: { userId }, body: { autoDelistDefault } } })
        }
      />
      <ErrorLine error={ask.error} />
    </>
  );
};

export const ProfileSection = () => {
  const { data: user, userId, error } = useAccountUser();
  return (
    <SettingsSection title={t('account.profile.title')} error={error} isLoading={!user && !error}>
      {user && userId !== null && (
        <>
          <AvatarField user={user} userId={userId} />
          <NameField user={user} userId={userId} />
          <LanguageField user={user} userId={userId} />
          <AutoDelistSwitch user={user} userId={userId} />
        </>
      )}
    </SettingsSection>
  );
};
