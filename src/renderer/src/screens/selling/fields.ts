import { isUnknownRecord, type UnknownRecord } from '../../api/unknownRecord.ts';
import { centsToText, textToCents } from '../../components/text/format.ts';

/** One field of a form over a record whose shape is open. `path` has at most one dot. */
export type Field = {
  path: string;
  kind: 'text' | 'code' | 'long' | 'whole' | 'cents' | 'yesNo' | 'choice';
  label: string;
  help?: string;
  choices?: { value: string; label: string }[];
  /** Bounds of a whole number. */
  from?: number;
  to?: number;
  must?: boolean;
};

/** What is in the fields, as it is typed, by path. */
export type Values = Readonly<Record<string, string>>;

const split = (path: string): [top: string, inner: string | null] => {
  const [top = '', inner = null] = path.split('.');
  return [top, inner];
};

const at = (record: UnknownRecord, path: string): unknown => {
  const [top, inner] = split(path);
  const value = record[top];
  return inner === null ? value : isUnknownRecord(value) ? value[inner] : undefined;
};

const asText = (kind: Field['kind'], value: unknown): string => {
  if (kind === 'cents') return typeof value === 'number' ? centsToText(value) : '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** The record as its fields show it. */
export const valuesOf = (fields: readonly Field[], record: UnknownRecord): Values =>
  Object.fromEntries(fields.map(({ path, kind }) => [path, asText(kind, at(record, path))]));

const asValue = (kind: Field['kind'], text: string): unknown => {
  const bare = text.trim();
  if (bare === '') return null;
  if (kind === 'whole') return Number(bare);
  if (kind === 'cents') return textToCents(bare);
  if (kind === 'yesNo') return bare === 'yes';
  if (kind === 'code') return bare.toUpperCase();
  return kind === 'long' ? text : bare;
};

/** The fields whose text is another than that of the record. */
export const changedIn = (fields: readonly Field[], before: Values, values: Values): Field[] =>
  fields.filter(({ path }) => (values[path] ?? '').trim() !== (before[path] ?? '').trim());

/**
 * The body that saves the changed fields: null takes one away. Of a record inside, everything is sent, its unchanged and
 * unknown fields too, as it is not known whether the service puts them together.
 */
export const bodyOf = (changed: readonly Field[], record: UnknownRecord, values: Values): UnknownRecord => {
  const body: UnknownRecord = {};
  for (const { path, kind } of changed) {
    const [top, inner] = split(path);
    const value = asValue(kind, values[path] ?? '');
    if (inner === null) body[top] = value;
    else {
      const sofar = top in body ? body[top] : record[top];
      const { [inner]: _before, ...rest } = isUnknownRecord(sofar) ? sofar : {};
      const next = value === null ? rest : { ...rest, [inner]: value };
      body[top] = Object.keys(next).length > 0 ? next : null;
    }
  }
  return body;
};

type Wrong = 'must' | 'whole' | 'amount';

/** What is wrong in which field, by its path. */
export type WrongFields = Record<string, { why: Wrong; field: Field }>;

/** What is wrong with what was typed, before anybody is asked. */
export const wrongIn = (fields: readonly Field[], values: Values): WrongFields =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const why = wrongWith(field, (values[field.path] ?? '').trim());
      return why === null ? [] : [[field.path, { why, field }]];
    }),
  );

const wrongWith = ({ kind, must, from = 0, to = 1_000_000 }: Field, text: string): Wrong | null => {
  if (text === '') return must ? 'must' : null;
  if (kind === 'cents') return textToCents(text) === null ? 'amount' : null;
  if (kind !== 'whole') return null;
  return /^\d{1,7}$/.test(text) && Number(text) >= from && Number(text) <= to ? null : 'whole';
};
