import { t } from '../../i18n.ts';
import { escapedText } from '../../components/text/UntrustedText.tsx';
import { policyKinds, type Policies, type PolicyKind, policiesIn } from '../approvals/fix/policies.ts';
import { type Found, foundIn } from './answers.ts';
import { formatChoices, siteChoices, weightBounds } from './Defaults.tsx';
import { type Field, bodyOf, valuesOf, type Values, useDraft, useRecordForm } from './useRecordForm.ts';
import { type Group, RecordFormView } from './RecordFormView.tsx';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { sentenceOf, read } from '../../api/call.ts';
import { usePolicies } from '../../api/queries.ts';
import { factsIn, type UnknownRecord } from '../../api/unknownRecord.ts';
import { nameSites } from '../../components/text/format.ts';
import { ProblemLine } from '../../components/Page.tsx';
import { ServiceFacts } from './Section.tsx';
import { useAskSetup } from './useSelling.ts';
import styles from './selling.module.css';

/** Fields of a template that cannot be edited: ids and times. */
const notEdited = ['templateId', 'id', 'createdAt', 'updatedAt'];

/** Returns the policies of a kind: those of the site first; the others are marked as belonging to another site. */
const policyChoices = (policies: Policies, kind: PolicyKind, site: string) => {
  const fits = (of: string | null): boolean => site === '' || of === null || of === site;
  return [
    { value: '', label: t('selling.form.none') },
    ...policies[kind]
      .toSorted((a, b) => Number(fits(b.site)) - Number(fits(a.site)))
      .map(({ policyId, name, site: of }) => ({
        value: policyId,
        label: fits(of) ? escapedText(name) : t('selling.templates.otherPolicy', { name: escapedText(name) }),
      })),
  ];
};

/** Returns the fields of a template; policies depend on its site. */
const templateGroups = (policies: Policies, site: string): Group[] => {
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

/** Splits the problems found by a check into those of shown fields and the rest. */
const placeFound = (found: readonly Found[], fields: readonly Field[]) => {
  const isField = (path: string | null): path is string => path !== null && fields.some((field) => field.path === path);
  const words = ({ message }: Found): string =>
    message === '' ? t('selling.templates.wrong') : escapedText(nameSites(message));
  return {
    byField: Object.fromEntries(found.flatMap((one) => (isField(one.field) ? [[one.field, words(one)] as const] : []))),
    rest: found.filter(({ field }) => !isField(field)).map(words),
  };
};

/** Returns the complete template from the form, including fields that are not shown; empty fields are left out. */
const wholeOf = (fields: readonly Field[], record: UnknownRecord, values: Values): UnknownRecord => {
  const shown = fields.filter(({ path }) => (values[path] ?? '').trim() !== '');
  const rest = Object.entries(record).filter(
    ([name]) => !notEdited.includes(name) && !fields.some(({ path }) => path === name),
  );
  return { ...Object.fromEntries(rest), ...bodyOf(shown, {}, values) };
};

/** The problems that the marketplace found, by field or general; `isFine` if there are none. */
type Check = {
  byField: Readonly<Record<string, string>>;
  rest: readonly string[];
  isFine: boolean;
  busy: boolean;
  error: Error | null;
  ask: () => void;
};

/** Checks the unsaved template at the marketplace, on request. Hides results for fields changed since. */
const useCheck = (fields: readonly Field[], record: UnknownRecord, values: Values): Check => {
  const check = useMutation({
    mutationFn: async (asked: Values) =>
      foundIn(await read('validateTemplate', { body: wholeOf(fields, record, asked) })),
  });
  const asked = check.variables ?? {};
  const same = fields.filter(({ path }) => (asked[path] ?? '') === (values[path] ?? ''));
  const { byField, rest } = placeFound(check.data ?? [], same);
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

const CheckResult = ({ check }: { check: Check }) => (
  <>
    {check.isFine && <p role="status">{t('selling.templates.fine')}</p>}
    {check.rest.map((sentence) => (
      <ProblemLine key={sentence}>{sentence}</ProblemLine>
    ))}
    {check.error && <ProblemLine>{sentenceOf(check.error)}</ProblemLine>}
  </>
);

type Props = { templateId: string | null; record: UnknownRecord; policies: unknown; onClose: () => void };

const TemplateFields = ({ templateId, record, policies, onClose }: Props) => {
  const name = draftName(templateId);
  const site = useDraft(name).draft?.values['marketplaceId'] ?? valuesOf(siteField, record)['marketplaceId'] ?? '';
  const groups = templateGroups(policiesIn(policies), site);
  const fields = groups.flatMap((group) => group.fields);
  const form = useRecordForm(name, fields, record, onClose);
  const check = useCheck(fields, record, form.values);
  const ask = useAskSetup();
  const save = (): void => {
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
        onSave={save}
      >
        <Button loading={check.busy} onClick={check.ask} title={t('selling.templates.checkHelp')}>
          {t('selling.templates.check')}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t('selling.templates.close')}
        </Button>
      </RecordFormView>
      <CheckResult check={check} />
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
      <ServiceFacts facts={factsIn(record, [...notEdited, ...fields.map(({ path }) => path)])} site={site} />
    </div>
  );
};
const siteField: readonly Field[] = [{ path: 'marketplaceId', kind: 'choice', label: '' }];

/** Returns the key of a template's draft; null means a new template. */
export const draftName = (templateId: string | null): string => `template ${templateId ?? ''}`;

/** A template as a form. It can be edited even if reading the policies failed; their ids do not change. */
export const TemplateForm = (props: Omit<Props, 'policies'>) => {
  const policies = usePolicies(null);
  if (policies.isPending) return <div className={styles.coming} style={{ height: 240 }} aria-busy />;
  return <TemplateFields {...props} policies={policies.data} />;
};
