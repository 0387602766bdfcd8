import { Button, TextInput, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { sentenceOf, perform } from '../../api/call.ts';
import { useApproval } from '../../api/queries.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { usePrompts } from '../approvals/usePrompts.ts';
import { t } from '../../i18n/t.ts';
import styles from './help.module.css';

type Message = { email: string; message: string };

/** Asks for the message to be sent, and follows what became of the question. */
const useSend = () => {
  const { show } = usePrompts();
  const client = useQueryClient();
  const [askedId, setAskedId] = useState<string | null>(null);
  const ask = useMutation({
    mutationFn: (body: Message) => perform('sendContact', { body }),
    onSuccess: async (performed) => {
      if (performed.state !== 'pending') return;
      setAskedId(performed.approvalId);
      await client.invalidateQueries({ queryKey: ['approvals'] });
      show(performed.approvalId);
    },
  });
  const asked = useApproval(askedId).data;
  return { ask, state: askedId === null ? null : (asked?.state ?? 'pending'), restart: () => setAskedId(null) };
};

const Stand = ({ state }: { state: string | null }) => {
  if (state === null) return null;
  const words = ['pending', 'approved', 'sending', 'unconfirmed'].includes(state) ? t('help.waits') : t('help.notSent');
  return (
    <span className={styles.small} role="status">
      {words}
    </span>
  );
};

const Form = ({ email: known }: { email: string }) => {
  const [email, setEmail] = useState(known);
  const [message, setMessage] = useState('');
  const [wrong, setWrong] = useState<'email' | 'message' | null>(null);
  const { ask, state, restart } = useSend();
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const missing = !/^\S+@\S+$/.test(email.trim()) ? 'email' : message.trim() === '' ? 'message' : null;
    setWrong(missing);
    if (missing === null) ask.mutate({ email: email.trim(), message: message.trim() });
  };
  if (state === 'done') return <p role="status">{t('help.sent', { email })}</p>;
  return (
    <form className={styles.form} onSubmit={onSubmit} aria-label={t('help.contact')} noValidate>
      <TextInput
        type="email"
        autoComplete="email"
        label={t('help.reply')}
        value={email}
        error={wrong === 'email' && t('help.replyWrong')}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Textarea
        label={t('help.message')}
        rows={5}
        maxLength={10_000}
        value={message}
        error={wrong === 'message' && t('help.messageWrong')}
        onChange={(event) => {
          setMessage(event.currentTarget.value);
          restart();
        }}
      />
      <div className={styles.line}>
        <Button type="submit" loading={ask.isPending}>
          {t('help.send')}
        </Button>
        <Stand state={state} />
      </div>
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
    </form>
  );
};

/** A message to the people of the service; `email` is the person's address, null while nobody is connected. */
export const Contact = ({ email }: { email: string | null }) => (
  <section aria-label={t('help.contact')} className={styles.section}>
    <h2>{t('help.contact')}</h2>
    {email === null ? (
      <p>{t('help.notConnected')}</p>
    ) : (
      <>
        <p className={styles.small}>{t('help.contactText')}</p>
        <Form email={email} />
      </>
    )}
  </section>
);
