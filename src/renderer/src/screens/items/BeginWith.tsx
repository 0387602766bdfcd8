import { NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Listing } from '../../../../contract/index.ts';
import { setNextTemplate, useNextTemplate } from '../../api/addPhotos.ts';
import { call, sentenceOf, type ItemView } from '../../api/call.ts';
import { textOf } from '../../api/unknownRecord.ts';
import { escapedText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import { useTemplates } from '../selling/useSelling.ts';
import styles from './before.module.css';

/** The id of a template; null for none, undefined for the default. */
type Chosen = string | null | undefined;

/** Converts a choice to an option value. The prefix `#` keeps ids apart from the two fixed values. */
const valueOf = (chosen: Chosen): string => {
  if (chosen === undefined) return 'usual';
  return chosen === null ? 'none' : `#${chosen}`;
};
const chosenOf = (value: string): Chosen => {
  if (value === 'usual') return undefined;
  return value === 'none' ? null : value.slice(1);
};

type Props = {
  label: string;
  description?: string;
  chosen: Chosen;
  /** The label of the default choice; without it the default cannot be chosen. */
  usual?: string;
  disabled?: boolean;
  size?: 'xs';
  className?: string | undefined;
  onChoose: (chosen: Chosen) => void;
};

/** Selects one of the person's templates. A chosen template that no longer exists stays visible as such. */
export const TemplateSelect = ({ usual, chosen, onChoose, ...field }: Props) => {
  const { data: templates = [], isSuccess } = useTemplates();
  const isThere = typeof chosen !== 'string' || templates.some(({ templateId }) => templateId === chosen);
  const goneLabel = isSuccess ? t('templates.gone') : '…';
  return (
    <NativeSelect
      {...field}
      data={[
        ...(usual === undefined ? [] : [{ value: valueOf(undefined), label: usual }]),
        { value: valueOf(null), label: t('templates.none') },
        ...templates.map(({ templateId, name }) => ({ value: valueOf(templateId), label: escapedText(name) })),
        ...(isThere ? [] : [{ value: valueOf(chosen), label: goneLabel }]),
      ]}
      value={valueOf(chosen)}
      onChange={(event) => onChoose(chosenOf(event.currentTarget.value))}
    />
  );
};

/** Selects the template for the next photos. Renders nothing while there are no templates. */
export const BeginNextWith = ({ large }: { large: boolean }) => {
  const { data: templates = [] } = useTemplates();
  const chosen = useNextTemplate();
  if (templates.length === 0 && typeof chosen !== 'string') return null;
  return (
    <TemplateSelect
      label={t('templates.begin')}
      {...(large ? { description: t('templates.beginHelp') } : { size: 'xs', className: styles.next })}
      usual={t('templates.asSet')}
      chosen={chosen}
      onChoose={setNextTemplate}
    />
  );
};

const TemplateName = ({ templateId }: { templateId: string }) => {
  const { data: templates, isSuccess } = useTemplates();
  const found = templates?.find((template) => template.templateId === templateId);
  if (!found) return isSuccess ? t('templates.gone') : '…';
  return <UntrustedText text={found.name} fold={120} />;
};

/** The template of an item; can be changed until the draft is created. */
export const ItemTemplate = ({ item }: { item: ItemView }) => {
  const client = useQueryClient();
  const { templateId, mayChange } = item.template;
  const { mutate, isPending } = useMutation({
    mutationFn: (chosen: string | null) => call('items.beginWith', { itemId: item.itemId, templateId: chosen }),
    onError: (error) => notifications.show({ message: sentenceOf(error), color: 'amber' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['items'] }),
  });
  const { data: templates = [] } = useTemplates();
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
  return templateId ? <Line templateId={templateId} /> : null;
};

const Line = ({ templateId }: { templateId: string }) => (
  <section aria-label={t('templates.one')}>
    <h3>{t('templates.one')}</h3>
    <p className={styles.soft}>
      <TemplateName templateId={templateId} />
    </p>
  </section>
);

/** The template that a listing was written with; renders nothing without one. */
export const ListingTemplate = ({ listing }: { listing: Listing }) => {
  const templateId = textOf(listing, 'templateId');
  return templateId === null ? null : <Line templateId={templateId} />;
};
