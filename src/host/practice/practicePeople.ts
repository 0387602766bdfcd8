import type { PracticePerson, PracticeShop, PracticeRequest } from '../../core/companion/coreServices.ts';
import type { WantedPerson } from '../../practice/controls/people.ts';
import type { Practice } from '../../practice/startPractice.ts';

/** The site that everybody practises on first. */
export const practiceSite = 'MKT_US';

/** Everybody who practises has a plan that is large enough to try everything. */
const ready = { plan: 'Starter', connected: true, site: practiceSite } as const;

type PeopleOf = Pick<Practice, 'addresses'> & {
  /** Makes a person, or a new key for one who is there. */
  person: (wanted: WantedPerson) => Promise<Pick<PracticePerson, 'userId' | 'agentKey'>>;
};

const names: Record<PracticeShop, string> = { empty: 'you', stocked: 'shopkeeper' };
const addressOf = (shop: PracticeShop, number: number): string =>
  `${names[shop]}${number === 1 ? '' : `-${number}`}@practice.example`;

/** Which of its kind a shop is, by the address of who keeps it; 0 for an address of another kind. */
const numberOf = (email: string, shop: PracticeShop): number => {
  const [whole, digits] = /^[a-z]+(?:-([1-9]\d*))?@practice\.example$/.exec(email) ?? [];
  const number = Number(digits ?? 1);
  return whole !== undefined && addressOf(shop, number) === email ? number : 0;
};

/** The number of the newest shop of a kind; 0 where there is none. Those before it may be gone. */
const newestOf = (shop: PracticeShop, addresses: readonly string[]): number =>
  Math.max(0, ...addresses.map((email) => numberOf(email, shop)));

/** Whether nobody comes back to a shop any more: there is a newer one of its kind. */
export const isLeft = (email: string, addresses: readonly string[]): boolean =>
  (['empty', 'stocked'] as const).some((shop) => {
    const number = numberOf(email, shop);
    return number > 0 && number < newestOf(shop, addresses);
  });

/**
 * Who practises at a practice service of the host's own. A shop of each kind has its own people, so that an empty one is
 * empty whatever was done in the other; who begins anew is the next one. `assistantName` is that of the assistant which
 * comes with a shop that has been kept for a while, in the language in which the shop was chosen.
 */
export const createPracticePeople = ({ person, addresses }: PeopleOf, assistantName: () => Promise<string>) => {
  /** Who is there stays as they are, with whatever they changed of plan and set-up. */
  const keyFor = async (email: string, shop: PracticeShop): Promise<PracticePerson> => {
    const { userId, agentKey } = await person(addresses().includes(email) ? { email } : { ...ready, email, shop });
    return { userId, agentKey, email };
  };
  return async (wish: PracticeRequest): Promise<PracticePerson> => {
    if ('again' in wish) return keyFor(wish.again, 'empty');
    const last = newestOf(wish.shop, addresses());
    const made = await keyFor(addressOf(wish.shop, wish.anew ? last + 1 : Math.max(1, last)), wish.shop);
    return wish.shop === 'stocked' ? { ...made, assistant: await assistantName() } : made;
  };
};
