import { fileURLToPath } from 'node:url';
import { defaultDataDir } from '../../host/dataFolder.ts';
import { openBridge } from '../bridgeClient.ts';
import { identityOf, installedIdentity, serveTools } from './serveTools.ts';

// The bundle for desktop clients begins here: the tools alone, for the companion in its usual place. Each installation
// has an identity of its own, beside this file.
const bridge = openBridge({ dataDir: defaultDataDir(), ownData: false, keychain: 'system', env: process.env });
const identity =
  identityOf(undefined, process.env) ?? installedIdentity(fileURLToPath(new URL('identity', import.meta.url)));
await serveTools(bridge, { identity, name: null }, (line) => process.stderr.write(`${line}\n`));
