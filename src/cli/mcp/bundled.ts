import { fileURLToPath } from 'node:url';
import { getDefaultDataDir } from '../../host/dataFolder.ts';
import { createBridgeClient } from '../bridgeClient.ts';
import { readClientIdentity, readInstalledIdentity, serveTools } from './serveTools.ts';

// The entry of the bundle for desktop clients: it only serves the tools of the companion in the default data folder.
// Each installation has its own identity in a file beside this one.
const bridge = createBridgeClient({
  dataDir: getDefaultDataDir(),
  ownData: false,
  keychain: 'system',
  env: process.env,
});
const identity =
  readClientIdentity(undefined, process.env) ??
  readInstalledIdentity(fileURLToPath(new URL('identity', import.meta.url)));
await serveTools(bridge, { identity, name: null }, (line) => process.stderr.write(`${line}\n`));
