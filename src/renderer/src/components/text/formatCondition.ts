import { core } from '../../../../i18n/english.ts';
import { translateMessage } from '../../i18n.ts';

const formatCodeWords = (code: string): string => code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');

const isKnownCode = (code: string): code is keyof typeof core.values =>
  /^[A-Z][A-Z0-9_]*$/.test(code) && Object.hasOwn(core.values, code);

/** For example, USED_GOOD becomes "Used – good". An unknown code gets the name from the service, or becomes words. */
export const formatCondition = (condition: string, name?: string | null): string =>
  isKnownCode(condition)
    ? translateMessage({ key: `values.${condition}` }, core.values[condition])
    : (name ?? formatCodeWords(condition));
