import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { sentenceOf } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { textOf } from '../../api/unknownRecord.ts';
import { ProblemLine } from '../../components/Page.tsx';
import { escapedText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import type { Template } from './answers.ts';
import { useDraft } from './useRecordForm.ts';
import { QueryResult, Section } from './Section.tsx';
import { draftName, TemplateForm } from './TemplateForm.tsx';
import { formatChoices } from './Defaults.tsx';
import { useAskSetup, useTemplates } from './useSelling.ts';
import styles from './selling.module.css';
import { regionName } from '../../components/text/format.ts';

const templateText = ({ more }: Template): string => {
  const site = textOf(more, 'marketplaceId');
  const format = formatChoices().find(({ value }) => value !== '' && value === more['format'])?.label;
  return [site && regionName(site), format].filter(Boolean).join(' · ');
};

type Opens = { open: boolean; onOpen: (open: boolean) => void };

const Row = ({ template, open, onOpen }: Opens & { template: Template }) => {
  const { templateId, name, more } = template;
  const { draft } = useDraft(draftName(templateId));
  const ask = useAskSetup();
  const edit = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    onOpen(false);
    edit.current?.focus();
  };
  return (
    <li>
      <div className={styles.row}>
        <div>
          <b>
            <UntrustedText text={name} fold={120} />
          </b>
          <p className={styles.soft}>{templateText(template)}</p>
          {draft && !open && <p className={styles.kept}>{t('selling.templates.unsaved')}</p>}
        </div>
        <div className={styles.line}>
          <Button
            ref={edit}
            aria-label={t('selling.templates.edit', { name: escapedText(name) })}
            aria-expanded={open}
            onClick={() => onOpen(!open)}
          >
            {t('selling.templates.editShort')}
          </Button>
          <Button
            variant="quiet"
            aria-label={t('selling.templates.delete', { name: escapedText(name) })}
            loading={ask.isPending}
            onClick={() => ask.mutate({ route: 'deleteTemplate', input: { params: { templateId } } })}
          >
            {t('selling.templates.deleteShort')}
          </Button>
        </div>
      </div>
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
      {open && <TemplateForm templateId={templateId} record={more} onClose={close} />}
    </li>
  );
};

const nothing = {};

const New = ({ open, onOpen }: Opens) => {
  const { draft } = useDraft(draftName(null));
  const [closed, setClosed] = useState(false);
  const close = (): void => {
    onOpen(false);
    setClosed(true);
  };
  if (open) return <TemplateForm templateId={null} record={nothing} onClose={close} />;
  return (
    <div className={styles.line}>
      <Button autoFocus={closed} onClick={() => onOpen(true)}>
        {draft ? t('selling.templates.goOn') : t('selling.templates.new')}
      </Button>
      {draft && <span className={styles.kept}>{t('selling.templates.unsavedNew')}</span>}
    </div>
  );
};

const List = ({ templates }: { templates: readonly Template[] }) => {
  const [openId, setOpenId] = useState<string | null>(null);
  const opens = (id: string): Opens => ({ open: openId === id, onOpen: (open) => setOpenId(open ? id : null) });
  return (
    <>
      {templates.length === 0 && <p>{t('selling.templates.none')}</p>}
      <ul className={styles.list}>
        {templates.map((template) => (
          <Row key={template.templateId} template={template} {...opens(template.templateId)} />
        ))}
      </ul>
      <New {...opens('')} />
    </>
  );
};

export const Templates = () => (
  <Section id="selling-templates" title={t('selling.templates.title')} text={t('selling.templates.text')}>
    <QueryResult of={useTemplates()} rows={3}>
      {(templates) => <List templates={templates} />}
    </QueryResult>
  </Section>
);
