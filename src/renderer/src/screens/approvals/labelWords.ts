import { core } from '../../../../i18n/english.ts';
import type { Fact } from '../../api/types.ts';
import { translate } from '../../i18n/language.ts';

const { labels } = core;
const isLabel = (label: string): label is keyof typeof labels => Object.hasOwn(labels, label);

/** The name of a fact or a field: of ours, of a field by its path, or as it came. */
export const labelWords = ({ label, labelSays }: Pick<Fact, 'label' | 'labelSays'>): string =>
  labelSays
    ? translate(labelSays, label)
    : translate({ key: `labels.${label}` }, isLabel(label) ? labels[label] : label);
