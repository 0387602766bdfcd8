import { Button, TextInput, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { performRequest } from '../../api/call.ts';
import { useApprovalById, useAppState, useSaveSettings } from '../../api/queries.ts';
import { ErrorLine, SectionsPage } from '../../components/ScreenPage.tsx';
import { usePromptControls } from '../approvals/usePrompts.ts';
import { t } from '../../i18n.ts';
import styles from './help.module.css';
import { Trans } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { KeysTable } from './KeysTable.tsx';

const contactSchema = z.object({
  email: z
    .string()
    .trim()
    .regex(/^\S+@\S+$/),
  message: z.string().trim().min(1).max(10_000),
});
type ContactMessage = z.infer<typeof contactSchema>;

const useSendMessage = () => {
  const { show } = usePromptControls();
  const client = useQueryClient();
  const [askedId, setAskedId] = useState<string | null>(null);
  const ask = useMutation({
    mutationFn: (body: ContactMessage) => performRequest('sendContact', { body }),
    onSuccess: async (performed) => {
      if (performed.state !== 'pending') return;
      setAskedId(performed.approvalId);
      await client.invalidateQueries({ queryKey: ['approvals'] });
      show(performed.approvalId);
    },
  });
  const asked = useApprovalById(askedId).data;
  return { ask, state: askedId === null ? null : (asked?.state ?? 'pending'), restart: () => setAskedId(null) };
};

const MessageSendState = ({ state }: { state: string | null }) => {
  if (state === null) return null;
  const words = ['pending', 'approved', 'sending', 'unconfirmed'].includes(state) ? t('help.waits') : t('help.notSent');
  return (
    <span className={styles.small} role="status">
      {words}
    </span>
  );
};

const ContactForm = ({ email: known }: { email: string }) => {
  const { ask, state, restart } = useSendMessage();
  const form = useForm({
    initialValues: { email: known, message: '' },
    validate: schemaResolver(contactSchema, { sync: true }),
    onValuesChange: ({ message }, before) => message !== before.message && restart(),
  });
  const { email } = form.values;
  if (state === 'done') return <p role="status">{t('help.sent', { email })}</p>;
  const onSubmit = form.onSubmit((values) => ask.mutate(contactSchema.parse(values)));
  // Translates the error during the render, because the person can change the language while the error is shown.
  return (
    <form className={styles.form} onSubmit={onSubmit} aria-label={t('help.contact')} noValidate>
      <TextInput
        type="email"
        autoComplete="email"
        label={t('help.reply')}
        {...form.getInputProps('email')}
        error={form.errors['email'] && t('help.replyWrong')}
      />
      <Textarea
        label={t('help.message')}
        rows={5}
        maxLength={10_000}
        {...form.getInputProps('message')}
        error={form.errors['message'] && t('help.messageWrong')}
      />
      <div className={styles.line}>
        <Button type="submit" loading={ask.isPending}>
          {t('help.send')}
        </Button>
        <MessageSendState state={state} />
      </div>
      <ErrorLine error={ask.error} />
    </form>
  );
};

export const ContactSection = ({ email }: { email: string | null }) => (
  <section aria-label={t('help.contact')} className={styles.section}>
    <h2>{t('help.contact')}</h2>
    {email === null ? (
      <p>{t('help.notConnected')}</p>
    ) : (
      <>
        <p className={styles.small}>{t('help.contactText')}</p>
        <ContactForm email={email} />
      </>
    )}
  </section>
);

const guideParts = [
  'photos',
  'review',
  'yes',
  'sale',
  'shelf',
  'scanner',
  'never',
  'assistants',
  'proof',
  'key',
] as const;

const GuideSection = () => {
  const [, go] = useLocation();
  const save = useSaveSettings();
  const showTourAgain = (): void => {
    save.mutate({ tourSeen: false });
    go('/');
  };
  return (
    <section aria-label={t('help.guide')} className={styles.section}>
      <h2>{t('help.guide')}</h2>
      {guideParts.map((part) => (
        <div key={part}>
          <h3>{t(`help.${part}Title`)}</h3>
          <p>
            <Trans i18nKey={`help.${part}`} components={{ settings: <Link href="/settings" /> }} />
          </p>
        </div>
      ))}
      <Button className={styles.start} onClick={showTourAgain}>
        {t('help.tour')}
      </Button>
    </section>
  );
};

const TroubleshootingSection = () => (
  <section aria-label={t('help.trouble')} className={styles.section}>
    <h2>{t('help.trouble')}</h2>
    <dl className={styles.trouble}>
      <div>
        <dt>{t('help.offline')}</dt>
        <dd>{t('help.offlineText')}</dd>
      </div>
      <div>
        <dt>{t('help.stopped')}</dt>
        <dd>{t('help.stoppedText')}</dd>
      </div>
      <div>
        <dt>{t('help.reconnect')}</dt>
        <dd>
          <Trans i18nKey="help.reconnectText" components={{ account: <Link href="/account" /> }} />
        </dd>
      </div>
      {(['lostKey', 'noPasskey'] as const).map((name) => (
        <div key={name}>
          <dt>{t(`help.${name}`)}</dt>
          <dd>
            <Trans i18nKey={`help.${name}Text`} components={{ settings: <Link href="/settings" /> }} />
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('help.diagnostics')}</dt>
        <dd>
          <Trans i18nKey="help.diagnosticsText" components={{ settings: <Link href="/settings" /> }} />
        </dd>
      </div>
    </dl>
  </section>
);

export const HelpScreen = () => {
  const state = useAppState().data;
  return (
    <SectionsPage title={t('help.title')}>
      <GuideSection />
      <section aria-label={t('help.keys')} className={styles.section}>
        <h2>{t('help.keys')}</h2>
        <KeysTable />
      </section>
      <TroubleshootingSection />
      {state && <ContactSection email={state.connection === 'connected' ? (state.person?.email ?? '') : null} />}
    </SectionsPage>
  );
};
