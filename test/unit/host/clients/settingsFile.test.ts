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

describe('between the plan that the person saw and the yes', () => {
  test.skipIf(process.platform === 'win32')('a folder that became a link is not written through', async () => {
    const file = folderWith('client', '{}');
    const plan = await readSettingsFile(file, home);
    const elsewhere = folderWith('elsewhere', '{}');
    rmSync(join(home, 'client'), { recursive: true });
    symlinkSync(join(home, 'elsewhere'), join(home, 'client'));
    await expect(replaceSettingsFile(plan, written)).rejects.toMatchObject({ code: 'SETTINGS_CHANGED' });
    expect(readFileSync(elsewhere, 'utf8')).toBe('{}');
  });

  test.skipIf(process.platform === 'win32')('a file that became a link is not written through', async () => {
    const file = folderWith('client', '{}');
    const plan = await readSettingsFile(file, home);
    const elsewhere = folderWith('elsewhere', '{}');
    rmSync(file);
    symlinkSync(elsewhere, file);
    await expect(replaceSettingsFile(plan, written)).rejects.toMatchObject({ code: 'SETTINGS_CHANGED' });
    expect(readFileSync(elsewhere, 'utf8')).toBe('{}');
  });

  test('a file that appeared is not overwritten', async () => {
    mkdirSync(join(home, 'client'));
    const file = join(home, 'client', 'settings.json');
    const plan = await readSettingsFile(file, home);
    writeFileSync(file, '{"mine":1}');
    await expect(replaceSettingsFile(plan, written)).rejects.toMatchObject({ code: 'SETTINGS_CHANGED' });
    expect(readFileSync(file, 'utf8')).toBe('{"mine":1}');
  });

  test('a file that stayed as it was is written', async () => {
    const file = folderWith('client', '{}');
    await replaceSettingsFile(await readSettingsFile(file, home), written);
    expect(readFileSync(file, 'utf8')).toBe(written.text);
  });
});
