import { t } from '../../i18n/t.ts';
import { plainly } from '../../components/text/untrustedText.ts';
import { policyKinds, type Policies, type PolicyKind } from '../approvals/fix/policies.ts';
import type { Found } from './answers.ts';
import { formatChoices, siteChoices, weightBounds } from './defaultsFields.ts';
import type { Field } from './fields.ts';
import type { Group } from './Form.tsx';

/** What a template has besides its fields: ids and times, which nobody edits. */
export const notEdited = ['templateId', 'id', 'createdAt', 'updatedAt'];

/** The policies of a kind: those of the site first, and those of other sites said to be so. */
const policyChoices = (policies: Policies, kind: PolicyKind, site: string) => {
  const fits = (of: string | null): boolean => site === '' || of === null || of === site;
  return [
    { value: '', label: t('selling.form.none') },
    ...policies[kind]
      .toSorted((a, b) => Number(fits(b.site)) - Number(fits(a.site)))
      .map(({ policyId, name, site: of }) => ({
        value: policyId,
        label: fits(of) ? plainly(name) : t('selling.templates.otherPolicy', { name: plainly(name) }),
      })),
  ];
};

/** The fields of a template; its policies are those of its site. */
export const templateGroups = (policies: Policies, site: string): Group[] => {
  const policyFields = policyKinds.map((kind): Field => ({
    path: `${kind}PolicyId`,
    kind: 'choice',
    label: t(`selling.templates.${kind}`),
    choices: policyChoices(policies, kind, site),
  }));
  return [
    {
      title: null,
      fields: [
        { path: 'name', kind: 'text', label: t('selling.templates.name'), must: true },
        { path: 'marketplaceId', kind: 'choice', label: t('selling.templates.site'), choices: siteChoices() },
        { path: 'format', kind: 'choice', label: t('selling.templates.format'), choices: formatChoices() },
        ...policyFields,
        { path: 'packageWeightGrams', kind: 'whole', label: t('selling.templates.weight'), ...weightBounds },
        { path: 'descriptionFooter', kind: 'long', label: t('selling.templates.footer') },
      ],
    },
  ];
};

/** What a check found: at the fields that it names, and the rest. */
export const placeFound = (found: readonly Found[], fields: readonly Field[]) => {
  const isField = (path: string | null): path is string => path !== null && fields.some((field) => field.path === path);
  const words = ({ message }: Found): string => (message === '' ? t('selling.templates.wrong') : plainly(message));
  return {
    byField: Object.fromEntries(found.flatMap((one) => (isField(one.field) ? [[one.field, words(one)] as const] : []))),
    rest: found.filter(({ field }) => !isField(field)).map(words),
  };
};
