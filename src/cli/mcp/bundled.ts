import { fileURLToPath } from 'node:url';
import { getDefaultDataDir } from '../../host/data/dataFolder.ts';
import { createBridgeClient } from '../bridgeClient.ts';
import { getClientIdentity, readInstalledIdentity, serveTools } from './serveTools.ts';

// Each installed bundle stores its own identity in a file next to this file.
const bridge = createBridgeClient({
  dataDir: getDefaultDataDir(),
  ownData: false,
  keychain: 'system',
  env: process.env,
});
const identity =
  getClientIdentity(undefined, process.env) ??
  readInstalledIdentity(fileURLToPath(new URL('identity', import.meta.url)));
await serveTools(bridge, { identity, name: null }, (line) => process.stderr.write(`${line}\n`));
