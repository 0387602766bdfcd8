import { t } from '../../i18n.ts';
import { escapeHiddenText } from '../../components/text/UntrustedText.tsx';
import { policyKinds, type Policies, type PolicyKind, groupPoliciesByKind } from '../approvals/fix/policies.ts';
import { type CheckProblem, parseCheckProblems } from './answers.ts';
import { listFormatChoices, listSiteChoices, createWeightField } from './Defaults.tsx';
import {
  type FormField,
  createRecordBody,
  toFormValues,
  type FormValues,
  useFormDraft,
  useRecordForm,
} from './useRecordForm.ts';
import { type FieldGroup, RecordFormView } from './RecordFormView.tsx';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { readServiceAnswer } from '../../api/call.ts';
import { useSitePolicies } from '../../api/queries.ts';
import { flattenRecordFacts, type UnknownRecord } from '../../api/unknownRecord.ts';
import { replaceSiteNames } from '../../components/text/format.ts';
import { ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import { ServiceFactList } from './Section.tsx';
import { useSetupChangeRequest } from './useSelling.ts';
import styles from './selling.module.css';

/** Ids and times of a template cannot be edited. */
const uneditedFields = ['templateId', 'id', 'createdAt', 'updatedAt'];

/** Policies of the site come first. Policies of other sites are marked. */
const listPolicyChoices = (policies: Policies, kind: PolicyKind, site: string) => {
  const isForSite = (of: string | null): boolean => site === '' || of === null || of === site;
  return [
    { value: '', label: t('selling.form.none') },
    ...policies[kind]
      .toSorted((a, b) => Number(isForSite(b.site)) - Number(isForSite(a.site)))
      .map(({ policyId, name, site: of }) => ({
        value: policyId,
        label: isForSite(of)
          ? escapeHiddenText(name)
          : t('selling.templates.otherPolicy', { name: escapeHiddenText(name) }),
      })),
  ];
};

const listTemplateGroups = (policies: Policies, site: string): FieldGroup[] => {
  const policyFields = policyKinds.map((kind): FormField => ({
    path: `${kind}PolicyId`,
    kind: 'choice',
    label: t(`selling.templates.${kind}`),
    choices: listPolicyChoices(policies, kind, site),
  }));
  return [
    {
      title: null,
      fields: [
        { path: 'name', kind: 'text', label: t('selling.templates.name'), must: true },
        { path: 'marketplaceId', kind: 'choice', label: t('selling.templates.site'), choices: listSiteChoices() },
        { path: 'format', kind: 'choice', label: t('selling.templates.format'), choices: listFormatChoices() },
        ...policyFields,
        createWeightField(site),
        { path: 'descriptionFooter', kind: 'long', label: t('selling.templates.footer') },
      ],
    },
  ];
};

const splitCheckProblems = (found: readonly CheckProblem[], fields: readonly FormField[]) => {
  const isShownField = (path: string | null): path is string =>
    path !== null && fields.some((field) => field.path === path);
  const formatCheckProblem = ({ message }: CheckProblem): string =>
    message === '' ? t('selling.templates.wrong') : escapeHiddenText(replaceSiteNames(message));
  return {
    byField: Object.fromEntries(
      found.flatMap((problem) =>
        isShownField(problem.field) ? [[problem.field, formatCheckProblem(problem)] as const] : [],
      ),
    ),
    rest: found.filter(({ field }) => !isShownField(field)).map(formatCheckProblem),
  };
};

/** Also returns the fields that the form does not show. Empty fields are left out. */
const createCompleteTemplate = (
  fields: readonly FormField[],
  record: UnknownRecord,
  values: FormValues,
): UnknownRecord => {
  const shown = fields.filter(({ path }) => (values[path] ?? '').trim() !== '');
  const rest = Object.entries(record).filter(
    ([name]) => !uneditedFields.includes(name) && !fields.some(({ path }) => path === name),
  );
  return { ...Object.fromEntries(rest), ...createRecordBody(shown, {}, values) };
};

type TemplateCheck = {
  byField: Readonly<Record<string, string>>;
  rest: readonly string[];
  isFine: boolean;
  busy: boolean;
  error: Error | null;
  ask: () => void;
};

/** Hides a problem after its field changes. */
const useTemplateCheck = (fields: readonly FormField[], record: UnknownRecord, values: FormValues): TemplateCheck => {
  const check = useMutation({
    mutationFn: async (asked: FormValues) =>
      parseCheckProblems(
        await readServiceAnswer('validateTemplate', { body: createCompleteTemplate(fields, record, asked) }),
      ),
  });
  const asked = check.variables ?? {};
  const same = fields.filter(({ path }) => (asked[path] ?? '') === (values[path] ?? ''));
  const { byField, rest } = splitCheckProblems(check.data ?? [], same);
  const untouched = same.length === fields.length;
  return {
    byField,
    rest: untouched ? rest : [],
    isFine: check.data?.length === 0 && untouched,
    busy: check.isPending,
    error: check.error,
    ask: () => check.mutate(values),
  };
};

const TemplateCheckResult = ({ check }: { check: TemplateCheck }) => (
  <>
    {check.isFine && <p role="status">{t('selling.templates.fine')}</p>}
    {check.rest.map((sentence) => (
      <ProblemLine key={sentence}>{sentence}</ProblemLine>
    ))}
    <ErrorLine error={check.error} />
  </>
);

type TemplateFormProps = { templateId: string | null; record: UnknownRecord; policies: unknown; onClose: () => void };

const TemplateFieldsForm = ({ templateId, record, policies, onClose }: TemplateFormProps) => {
  const name = formatTemplateDraftKey(templateId);
  const site =
    useFormDraft(name).draft?.values['marketplaceId'] ?? toFormValues(siteFields, record)['marketplaceId'] ?? '';
  const groups = listTemplateGroups(groupPoliciesByKind(policies), site);
  const fields = groups.flatMap((group) => group.fields);
  const form = useRecordForm(name, fields, record, onClose);
  const check = useTemplateCheck(fields, record, form.values);
  const ask = useSetupChangeRequest();
  const requestSaveTemplate = (): void => {
    const body = form.body();
    ask.mutate(
      templateId === null
        ? { route: 'createTemplate', input: { body } }
        : { route: 'updateTemplate', input: { params: { templateId }, body } },
      { onSuccess: (performed) => performed.state === 'pending' && form.asked(performed.approvalId) },
    );
  };
  return (
    <div className={styles.editing}>
      <RecordFormView
        name={templateId === null ? t('selling.templates.new') : t('selling.templates.editShort')}
        form={form}
        groups={groups}
        found={check.byField}
        save={t('selling.templates.save')}
        focusFirst
        busy={ask.isPending}
        onSave={requestSaveTemplate}
      >
        <Button loading={check.busy} onClick={check.ask} title={t('selling.templates.checkHelp')}>
          {t('selling.templates.check')}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t('selling.templates.close')}
        </Button>
      </RecordFormView>
      <TemplateCheckResult check={check} />
      <ErrorLine error={ask.error} />
      <ServiceFactList
        facts={flattenRecordFacts(record, [...uneditedFields, ...fields.map(({ path }) => path)])}
        site={site}
      />
    </div>
  );
};
const siteFields: readonly FormField[] = [{ path: 'marketplaceId', kind: 'choice', label: '' }];

export const formatTemplateDraftKey = (templateId: string | null): string => `template ${templateId ?? ''}`;

/** If the policies cannot be read, the template can still be edited and keeps its policy ids. */
export const TemplateEditForm = (props: Omit<TemplateFormProps, 'policies'>) => {
  const policies = useSitePolicies(null);
  if (policies.isPending) return <div className={styles.coming} style={{ height: 240 }} aria-busy />;
  return <TemplateFieldsForm {...props} policies={policies.data} />;
};
