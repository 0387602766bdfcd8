import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { t } from '../../i18n.ts';
import { findTextField } from '../../api/unknownRecord.ts';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { escapeHiddenText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import type { ListingTemplate } from './answers.ts';
import { useFormDraft } from './useRecordForm.ts';
import { QueryResultView, SellingSection } from './Section.tsx';
import { formatTemplateDraftKey, TemplateEditForm } from './TemplateForm.tsx';
import { listFormatChoices } from './Defaults.tsx';
import { useSetupChangeRequest, useListingTemplates } from './useSelling.ts';
import styles from './selling.module.css';
import { getSiteCountryName } from '../../components/text/format.ts';

const formatTemplateSummary = ({ more }: ListingTemplate): string => {
  const site = findTextField(more, 'marketplaceId');
  const format = listFormatChoices().find(({ value }) => value !== '' && value === more['format'])?.label;
  return [site && getSiteCountryName(site), format].filter(Boolean).join(' · ');
};

type OpenState = { open: boolean; onOpen: (open: boolean) => void };

const TemplateRow = ({ template, open, onOpen }: OpenState & { template: ListingTemplate }) => {
  const { templateId, name, more } = template;
  const { draft } = useFormDraft(formatTemplateDraftKey(templateId));
  const ask = useSetupChangeRequest();
  const edit = useRef<HTMLButtonElement>(null);
  const closeTemplateForm = (): void => {
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
          <p className={styles.soft}>{formatTemplateSummary(template)}</p>
          {draft && !open && <p className={styles.kept}>{t('selling.templates.unsaved')}</p>}
        </div>
        <div className={styles.line}>
          <Button
            ref={edit}
            aria-label={t('selling.templates.edit', { name: escapeHiddenText(name) })}
            aria-expanded={open}
            onClick={() => onOpen(!open)}
          >
            {t('selling.templates.editShort')}
          </Button>
          <Button
            variant="quiet"
            aria-label={t('selling.templates.delete', { name: escapeHiddenText(name) })}
            loading={ask.isPending}
            onClick={() => ask.mutate({ route: 'deleteTemplate', input: { params: { templateId } } })}
          >
            {t('selling.templates.deleteShort')}
          </Button>
        </div>
      </div>
      <ErrorLine error={ask.error} />
      {open && <TemplateEditForm templateId={templateId} record={more} onClose={closeTemplateForm} />}
    </li>
  );
};

const emptyRecord = {};

const NewTemplateButton = ({ open, onOpen }: OpenState) => {
  const { draft } = useFormDraft(formatTemplateDraftKey(null));
  const [closed, setClosed] = useState(false);
  const closeNewTemplate = (): void => {
    onOpen(false);
    setClosed(true);
  };
  if (open) return <TemplateEditForm templateId={null} record={emptyRecord} onClose={closeNewTemplate} />;
  return (
    <div className={styles.line}>
      <Button autoFocus={closed} onClick={() => onOpen(true)}>
        {draft ? t('selling.templates.goOn') : t('selling.templates.new')}
      </Button>
      {draft && <span className={styles.kept}>{t('selling.templates.unsavedNew')}</span>}
    </div>
  );
};

const TemplateList = ({ templates }: { templates: readonly ListingTemplate[] }) => {
  const [openId, setOpenId] = useState<string | null>(null);
  const getOpenState = (id: string): OpenState => ({
    open: openId === id,
    onOpen: (open) => setOpenId(open ? id : null),
  });
  return (
    <>
      {templates.length === 0 && <p>{t('selling.templates.none')}</p>}
      <ul className={styles.list}>
        {templates.map((template) => (
          <TemplateRow key={template.templateId} template={template} {...getOpenState(template.templateId)} />
        ))}
      </ul>
      <NewTemplateButton {...getOpenState('')} />
    </>
  );
};

export const TemplatesSection = () => (
  <SellingSection id="selling-templates" title={t('selling.templates.title')} text={t('selling.templates.text')}>
    <QueryResultView of={useListingTemplates()} rows={3}>
      {(templates) => <TemplateList templates={templates} />}
    </QueryResultView>
  </SellingSection>
);
