import type { Settings } from '../../core/base/settings.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';

/** What the ceremony page needs of the core. */
export type CeremonyCore = Pick<
  Companion['presence'],
  | 'openCeremony'
  | 'requireBegunCeremony'
  | 'servePage'
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
  /** Returns the name behind an id in the input of a call; null if the id belongs to nothing that is known. */
  findName: (field: string, id: string) => string | null;
};

const createNameFinder =
  ({ assistants, offers, presence }: Companion): CeremonyCore['findName'] =>
  (field, id) => {
    const { assistants: paired, pairings } = assistants.list();
    const names: Record<string, () => string | undefined> = {
      // Several waiting assistants can have the same name, so the code tells them apart.
      pairingId: () => {
        const found = pairings.find(({ pairingId }) => pairingId === id);
        return found && `${found.name} · ${found.code}`;
      },
      assistantId: () => paired.find(({ assistantId }) => assistantId === id)?.name,
      offerId: () => {
        const found = offers.list().find(({ offerId }) => offerId === id);
        return found && `${found.what} · ${found.host}`;
      },
      credentialId: () => presence.readState().passkeys.find(({ credentialId }) => credentialId === id)?.label,
    };
    return (Object.hasOwn(names, field) ? names[field]?.() : null) ?? null;
  };

export const createCeremonyCore = (companion: Companion): CeremonyCore => ({
  ...companion.presence,
  settings: () => companion.state(null).settings,
  findName: createNameFinder(companion),
});

export type CeremonyServerContext = {
  running: Pick<Companion, 'photo'> & { ceremonies: CeremonyCore };
  rendererDir: string;
  /** The origin of the window, which alone may show the page in a frame; null if no window may. */
  windowOrigin: string | null;
};
