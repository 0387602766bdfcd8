import { Button, Menu } from '@mantine/core';
import { callCore } from '../../../api/call.ts';
import { useItemMutation } from '../../../api/useCall.ts';
import { escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { t } from '../../../i18n.ts';
import { useListingTemplates } from '../../selling/useSelling.ts';

/** Sets the template of the items that have no draft yet. */
export const TemplateMenu = ({ itemIds }: { itemIds: readonly string[] }) => {
  const { data: templates = [] } = useListingTemplates();
  const choose = useItemMutation(async (templateId: string | null) => {
    for (const itemId of itemIds) await callCore('items.beginWith', { itemId, templateId });
  });
  if (templates.length === 0) return null;
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button size="compact-sm" disabled={choose.isPending}>
          {t('templates.choose')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => choose.mutate(null)}>{t('templates.none')}</Menu.Item>
        {templates.map(({ templateId, name }) => (
          <Menu.Item key={templateId} onClick={() => choose.mutate(templateId)}>
            {escapeHiddenText(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
