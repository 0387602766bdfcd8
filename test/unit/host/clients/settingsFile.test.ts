import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSettingsFile, replaceSettingsFile } from '../../../../src/host/clients/settingsFile.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'home-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folderWith = (name: string, text: string): string => {
  mkdirSync(join(home, name));
  writeFileSync(join(home, name, 'settings.json'), text);
  return join(home, name, 'settings.json');
};
const written = { text: '{"changed":true}', copy: 'keep' } as const;

describe('a confirmed change of client settings', () => {
  test.skipIf(process.platform === 'win32')('is not written through a folder that became a link', async () => {
    const file = folderWith('client', '{}');
    const plan = await readSettingsFile(file, home);
    const elsewhere = folderWith('elsewhere', '{}');
    rmSync(join(home, 'client'), { recursive: true });
    symlinkSync(join(home, 'elsewhere'), join(home, 'client'));
    await expect(replaceSettingsFile(plan, written)).rejects.toMatchObject({ code: 'SETTINGS_CHANGED' });
    expect(readFileSync(elsewhere, 'utf8')).toBe('{}');
  });

  test.skipIf(process.platform === 'win32')('is not written through a file that became a link', async () => {
    const file = folderWith('client', '{}');
    const plan = await readSettingsFile(file, home);
    const elsewhere = folderWith('elsewhere', '{}');
    rmSync(file);
    symlinkSync(elsewhere, file);
    await expect(replaceSettingsFile(plan, written)).rejects.toMatchObject({ code: 'SETTINGS_CHANGED' });
    expect(readFileSync(elsewhere, 'utf8')).toBe('{}');
  });

  test('does not overwrite a file that another program has created', async () => {
    mkdirSync(join(home, 'client'));
    const file = join(home, 'client', 'settings.json');
    const plan = await readSettingsFile(file, home);
    writeFileSync(file, '{"mine":1}');
    await expect(replaceSettingsFile(plan, written)).rejects.toMatchObject({ code: 'SETTINGS_CHANGED' });
    expect(readFileSync(file, 'utf8')).toBe('{"mine":1}');
  });

  test('is written if the file is unchanged', async () => {
    const file = folderWith('client', '{}');
    await replaceSettingsFile(await readSettingsFile(file, home), written);
    expect(readFileSync(file, 'utf8')).toBe(written.text);
  });
});
