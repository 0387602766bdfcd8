import { useItemMutation } from '../../api/useCall.ts';
import { NativeSelect } from '@mantine/core';
import type { Listing } from '../../../../contract/index.ts';
import { setNextTemplate, useNextTemplate } from '../../api/addPhotos.ts';
import { callCore, type ItemView } from '../../api/call.ts';
import { findTextField } from '../../api/unknownRecord.ts';
import { escapeHiddenText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import { useListingTemplates } from '../selling/useSelling.ts';
import styles from './before.module.css';

/** The id of a template, null for no template, undefined for the default template. */
type TemplateChoice = string | null | undefined;

/** The prefix `#` keeps ids apart from the two fixed values. */
const toOptionValue = (chosen: TemplateChoice): string => {
  if (chosen === undefined) return 'usual';
  return chosen === null ? 'none' : `#${chosen}`;
};
const parseOptionValue = (value: string): TemplateChoice => {
  if (value === 'usual') return undefined;
  return value === 'none' ? null : value.slice(1);
};

type Props = {
  label: string;
  description?: string;
  chosen: TemplateChoice;
  /** The label of the default template. Without this label, the default cannot be chosen. */
  usual?: string;
  disabled?: boolean;
  onChoose: (chosen: TemplateChoice) => void;
};

/** A chosen template that no longer exists stays visible. */
export const TemplateSelect = ({ usual, chosen, onChoose, ...field }: Props) => {
  const { data: templates = [], isSuccess } = useListingTemplates();
  const isThere = typeof chosen !== 'string' || templates.some(({ templateId }) => templateId === chosen);
  const goneLabel = isSuccess ? t('templates.gone') : '…';
  return (
    <NativeSelect
      {...field}
      data={[
        ...(usual === undefined ? [] : [{ value: toOptionValue(undefined), label: usual }]),
        { value: toOptionValue(null), label: t('templates.none') },
        ...templates.map(({ templateId, name }) => ({
          value: toOptionValue(templateId),
          label: escapeHiddenText(name),
        })),
        ...(isThere ? [] : [{ value: toOptionValue(chosen), label: goneLabel }]),
      ]}
      value={toOptionValue(chosen)}
      onChange={(event) => onChoose(parseOptionValue(event.currentTarget.value))}
    />
  );
};

export const NextTemplateSelect = () => {
  const { data: templates = [] } = useListingTemplates();
  const chosen = useNextTemplate();
  if (templates.length === 0 && typeof chosen !== 'string') return null;
  return (
    <TemplateSelect
      label={t('templates.begin')}
      description={t('templates.beginHelp')}
      usual={t('templates.asSet')}
      chosen={chosen}
      onChoose={setNextTemplate}
    />
  );
};

export const TemplateName = ({ templateId }: { templateId: string }) => {
  const { data: templates, isSuccess } = useListingTemplates();
  const found = templates?.find((template) => template.templateId === templateId);
  if (!found) return isSuccess ? t('templates.gone') : '…';
  return <UntrustedText text={found.name} fold={120} />;
};

export const ItemTemplateField = ({ item }: { item: ItemView }) => {
  const { templateId, mayChange } = item.template;
  const { mutate, isPending } = useItemMutation((chosen: string | null) =>
    callCore('items.beginWith', { itemId: item.itemId, templateId: chosen }),
  );
  const { data: templates = [] } = useListingTemplates();
  if (mayChange && (templates.length > 0 || templateId))
    return (
      <TemplateSelect
        label={t('templates.begin')}
        {...(templateId === undefined ? { usual: t('templates.last') } : {})}
        chosen={templateId}
        disabled={isPending}
        onChoose={(chosen) => {
          if (chosen !== undefined) mutate(chosen);
        }}
      />
    );
  return templateId ? <TemplateNameLine templateId={templateId} /> : null;
};

const TemplateNameLine = ({ templateId }: { templateId: string }) => (
  <section aria-label={t('templates.one')}>
    <h3>{t('templates.one')}</h3>
    <p className={styles.soft}>
      <TemplateName templateId={templateId} />
    </p>
  </section>
);

export const ListingTemplateLine = ({ listing }: { listing: Listing }) => {
  const templateId = findTextField(listing, 'templateId');
  return templateId === null ? null : <TemplateNameLine templateId={templateId} />;
};
