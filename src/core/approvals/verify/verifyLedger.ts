import { parseAlarmFacts, type AlarmFacts } from '../ledger/ledgerAlarm.ts';
import { createChainCheck, type ChainFault, type ChainFinding, type ChainSummary } from '../ledger/chainCheck.ts';
import { ledgerRow, type LedgerRow } from '../../storage/tables/ledger/ledgerRow.ts';
import { isStatementSigned, statementLine, type Statement, type StatementLine } from '../ledger/signedExports.ts';
import {
  parseExactLine,
  type FileLine,
  createFinding,
  formatShortFingerprint,
  type Finding,
  type Report,
} from './report.ts';

const faultSentences: Record<ChainFault, (row: number) => string> = {
  sequence: (row) => `Row ${row} is missing, or rows are not in their order.`,
  previous: (row) => `Row ${row} does not follow from the row before it.`,
  hash: (row) => `Row ${row} was changed: its hash does not fit what it says.`,
  unsigned: (row) => `Row ${row} is not signed, and rows before it are.`,
  noKey: (row) => `Row ${row} is signed, and no row before it says with which key.`,
  key: (row) => `Row ${row} begins a new key, and that is not in order.`,
  signature: (row) => `Row ${row} is not signed by the key that signed the rows around it.`,
};

type LedgerStatement = Extract<Statement, { of: 'ledger' }>;

const findLedgerStatementFaults = (
  line: StatementLine,
  stated: LedgerStatement,
  rows: LedgerRow[],
  seen: ChainSummary,
): Finding[] => {
  const key = seen.keys.at(-1);
  const keys = seen.keys.map(({ fingerprint, publicKey, from }) => ({ fingerprint, publicKey, from }));
  const differs = stated.rows - rows.length;
  const checks: [boolean, string, string][] = [
    [!isStatementSigned(line), 'STATEMENT', 'The last line is not signed by the key that it names.'],
    [
      key?.fingerprint !== stated.fingerprint || key.publicKey !== stated.publicKey || key.keychain !== stated.keychain,
      'STATEMENT_KEY',
      'The last line is not signed by the key that signed the last rows.',
    ],
    [differs !== 0, 'LENGTH', `The last line says that there are ${stated.rows} rows; here are ${rows.length}.`],
    [stated.first !== (rows[0]?.hash ?? null), 'FIRST', 'The first row is not the one that the last line names.'],
    [stated.last !== (rows.at(-1)?.hash ?? null), 'LAST', 'The last row is not the one that the last line names.'],
    [
      stated.unsigned !== seen.unsigned || JSON.stringify(stated.keys) !== JSON.stringify(keys),
      'KEYS',
      'The keys are not those that the last line names.',
    ],
  ];
  return checks.flatMap(([fails, code, sentence]) => (fails ? [createFinding(code, sentence)] : []));
};

const formatMissingRows = (rows: number, keptRows: number | null): string =>
  keptRows !== null && keptRows > rows ? ` ${keptRows - rows} rows were missing then.` : '';

const formatAlarmSentence = ({ seq, kind }: LedgerRow, { alarm, rows, keptRows }: AlarmFacts): string => {
  if (alarm === 'freshStart')
    return `At row ${seq} there was no database, and an older history of ${keptRows} rows had existed on this computer.`;
  const what =
    kind === 'ledger.restored'
      ? `At row ${seq} a copy had taken the place of the history.`
      : `At row ${seq} the companion found that the history was not what it had been (${alarm}).`;
  return `${what}${formatMissingRows(rows, keptRows)}`;
};

/** Unacknowledged alarms are findings; acknowledged alarms are notes. */
const reportRecordedAlarms = (rows: LedgerRow[]): { findings: Finding[]; notes: string[] } => {
  const acknowledged = rows.findLast(({ kind }) => kind === 'ledger.acknowledged')?.seq ?? 0;
  const findings: Finding[] = [];
  const notes: string[] = [];
  for (const row of rows) {
    const facts = row.kind === 'ledger.alarm' || row.kind === 'ledger.restored' ? parseAlarmFacts(row) : null;
    if (!facts) continue;
    const known = row.seq < acknowledged;
    const sentence = formatAlarmSentence(row, facts);
    if (known) notes.push(`${sentence} The person acknowledged it.`);
    else findings.push(createFinding('ALARM', `${sentence} The person has not acknowledged it.`, { row: row.seq }));
  }
  return { findings, notes };
};

const createLedgerNotes = (seen: ChainSummary, stated: LedgerStatement | null): string[] => {
  const first = seen.keys[0]?.from ?? null;
  return [
    ...(seen.unsigned === 0
      ? []
      : [`Rows 1–${seen.unsigned} are from before rows were signed: only their hashes hold them.`]),
    ...(seen.keys.length < 2
      ? []
      : seen.keys.map(
          ({ fingerprint, from }) => `From row ${from} on the key ${formatShortFingerprint(fingerprint)} signs.`,
        )),
    ...(first !== null && stated?.keychain === 'memory'
      ? ['The key that signed this was kept for one run only: the next run signs with another one.']
      : []),
  ];
};

/** Verifies each row of a ledger export, the order and number of rows, and the signed last line. */
export const verifyLedgerExport = (lines: FileLine[]): Report => {
  const closing = statementLine.safeParse(lines.at(-1)?.value).success ? lines.at(-1) : undefined;
  const findings: Finding[] = [];
  const rows: LedgerRow[] = [];
  const check = createChainCheck();
  const addRowFindings = (line: number, found: ChainFinding[]): void => {
    for (const { row, fault } of found)
      findings.push(createFinding(fault.toUpperCase(), faultSentences[fault](row), { line, row }));
  };
  for (const line of closing ? lines.slice(0, -1) : lines) {
    const { data, finding: wrong } = parseExactLine(ledgerRow, line);
    if (wrong) findings.push(wrong);
    if (!data) continue;
    rows.push(data);
    addRowFindings(line.line, check.checkRow(data));
  }
  const seen = check.readSummary();
  const closed = closing ? parseExactLine(statementLine, closing) : null;
  if (closed?.finding) findings.push(closed.finding);
  const statement = closed?.data?.statement.of === 'ledger' ? closed.data.statement : null;
  if (closed?.data && statement) findings.push(...findLedgerStatementFaults(closed.data, statement, rows, seen));
  else
    findings.push(
      createFinding(
        'NO_STATEMENT',
        'The signed last line is missing, so it cannot be told whether rows are missing at the end.',
      ),
    );
  const alarms = reportRecordedAlarms(rows);
  findings.push(...alarms.findings);
  return {
    whole: findings.length === 0,
    kind: 'ledger',
    count: rows.length,
    fingerprint: statement?.fingerprint ?? seen.keys.at(-1)?.fingerprint ?? null,
    keys: seen.keys.map(({ fingerprint, from }) => ({ fingerprint, from })),
    findings,
    notes: [...createLedgerNotes(seen, statement), ...alarms.notes],
  };
};
