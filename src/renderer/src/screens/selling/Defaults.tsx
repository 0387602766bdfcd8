import { t } from '../../i18n/t.ts';
import { sentenceOf } from '../../api/call.ts';
import { factsIn, type UnknownRecord } from '../../api/unknownRecord.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { defaultsGroups, wrongDefaults } from './defaultsFields.ts';
import { useDraft } from './drafts.ts';
import { OpenFacts } from './FactList.tsx';
import { Form } from './Form.tsx';
import { Read, Section } from './Section.tsx';
import { useAskSetup } from './useAskSetup.ts';
import { useForm } from './useForm.ts';
import { useDefaults } from './useSelling.ts';
import styles from './selling.module.css';

const nothing = (): void => undefined;

const Edit = ({ record }: { record: UnknownRecord }) => {
  const saved = typeof record['marketplaceId'] === 'string' ? record['marketplaceId'] : '';
  const site = useDraft('defaults').draft?.values['marketplaceId'] ?? saved;
  const groups = defaultsGroups(site);
  const fields = groups.flatMap((group) => group.fields);
  const form = useForm('defaults', fields, record, nothing);
  const ask = useAskSetup();
  const rest = factsIn(
    record,
    fields.map(({ path }) => path),
  );
  const save = (): void =>
    ask.mutate(
      { route: 'updateSellerDefaults', input: { body: form.body() } },
      { onSuccess: (performed) => performed.state === 'pending' && form.asked(performed.approvalId) },
    );
  return (
    <>
      <Form
        name={t('selling.defaults.title')}
        form={form}
        groups={groups}
        wrongTogether={wrongDefaults(form.values)}
        save={t('selling.defaults.save')}
        busy={ask.isPending}
        onSave={save}
      />
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
      {rest.length > 0 && (
        <div>
          <p className={styles.soft}>{t('selling.form.alsoSet')}</p>
          <OpenFacts facts={rest} />
        </div>
      )}
    </>
  );
};

/** What new listings begin with: a form with what was changed marked; saving asks. */
export const Defaults = () => (
  <Section id="selling-defaults" title={t('selling.defaults.title')} text={t('selling.defaults.text')}>
    <Read of={useDefaults()} rows={10}>
      {(record) => <Edit record={record} />}
    </Read>
  </Section>
);
