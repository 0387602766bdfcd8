import { toRecordOrEmpty } from '../../core/base/json.ts';
import type { Settings } from '../../core/base/settings.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { CallSubjects } from '../../core/presence/ceremonies.ts';
import type { PresenceState } from '../../core/presence/presence.ts';
import type { CallHandlers } from '../../ipc/calls.ts';

/** What the ceremony page needs of the core. */
export type CeremonyCore = Pick<
  Companion['presence'],
  | 'openCeremony'
  | 'requireBegunCeremony'
  | 'cancelReopenedCeremony'
  | 'readCeremony'
  | 'readCeremonyKinds'
  | 'findCeremonyPhoto'
  | 'readState'
  | 'cancelCeremony'
  | 'confirmWithPasskey'
  | 'confirmWithSystemPrompt'
  | 'confirmWithPin'
  | 'registerPasskey'
  | 'registerSystemPrompt'
  | 'registerPin'
> & {
  settings: () => Pick<Settings, 'language' | 'theme'>;
};

const listNamed = (names: Readonly<Record<string, string | undefined>>): CallSubjects =>
  Object.fromEntries(Object.entries(names).flatMap(([field, name]) => (name === undefined ? [] : [[field, name]])));

type NamedParts = Pick<Companion, 'assistants' | 'offers' | 'presence'>;

/** Names the ids in the input of a call that the core knows. */
export const nameCallIds = ({ assistants, offers, presence }: NamedParts, input: unknown): CallSubjects => {
  const { pairingId, assistantId, offerId, credentialId } = toRecordOrEmpty(input);
  const { assistants: paired, pairings } = assistants.list();
  const pairing = pairings.find((one) => one.pairingId === pairingId);
  const offer = offers.list().find((one) => one.offerId === offerId);
  return listNamed({
    // Several waiting assistants can have the same name, so the code tells them apart.
    pairingId: pairing && `${pairing.name} · ${pairing.code}`,
    assistantId: paired.find((one) => one.assistantId === assistantId)?.name,
    offerId: offer && `${offer.what} · ${offer.host}`,
    credentialId: presence.readState().passkeys.find((one) => one.credentialId === credentialId)?.label,
  });
};

/** Names what a call is about, because an id alone means nothing to a person. */
export const nameCallSubjects = async (
  companion: Companion,
  listClients: CallHandlers['clients.list'],
  { call, input }: { call: string; input: unknown },
): Promise<CallSubjects> => {
  const { clientId } = toRecordOrEmpty(input);
  const client = clientId === undefined ? undefined : (await listClients({})).find(({ id }) => id === clientId);
  const { person, service } = companion.state(null);
  return listNamed({
    ...nameCallIds(companion, input),
    clientId: client?.name,
    file: client?.file,
    account: person?.email ?? undefined,
    service: new URL(service.url).host,
    protection: call === 'proofs.remove' && isLastProof(companion.presence.readState(), input) ? 'none' : undefined,
  });
};

const isLastProof = ({ kinds, passkeys, pin }: PresenceState, input: unknown): boolean => {
  const { kind } = toRecordOrEmpty(input);
  const left = kinds.filter((one) => one !== kind || (one === 'passkey' && passkeys.length > 1));
  return left.length === 0 && (pin === null || kind === 'pin');
};

export const createCeremonyCore = (companion: Companion): CeremonyCore => ({
  ...companion.presence,
  settings: () => companion.state(null).settings,
});

export type CeremonyServerContext = {
  running: Pick<Companion, 'photo'> & { ceremonies: CeremonyCore };
  rendererDir: string;
};
