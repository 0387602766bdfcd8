import type { PracticePerson, PracticeShop, PracticeWish } from '../../core/companion/coreServices.ts';
import type { WantedPerson } from '../../practice/controls/people.ts';
import type { Practice } from '../../practice/startPractice.ts';

/** The site that everybody practises on first. */
export const practiceSite = 'MKT_US';

/** Everybody who practises has a plan that is large enough to try everything. */
const ready = { plan: 'Starter', connected: true, site: practiceSite } as const;

type PeopleOf = Pick<Practice, 'knows'> & {
  /** Makes a person, or a new key for one who is there. */
  person: (wanted: WantedPerson) => Promise<Pick<PracticePerson, 'userId' | 'agentKey'>>;
};

const names: Record<PracticeShop, string> = { empty: 'you', stocked: 'shopkeeper' };
const addressOf = (shop: PracticeShop, number: number): string =>
  `${names[shop]}${number === 1 ? '' : `-${number}`}@practice.example`;

/**
 * Who practises at a practice service of the host's own. A shop of each kind has its own people, so that an empty one is
 * empty whatever was done in the other; who begins anew is the next one. `assistantName` is that of the assistant which
 * comes with a shop that has been kept for a while, in the language in which the shop was chosen.
 */
export const createPracticePeople = ({ person, knows }: PeopleOf, assistantName: () => Promise<string>) => {
  const lastOf = (shop: PracticeShop): number => {
    let number = 0;
    while (knows(addressOf(shop, number + 1))) number += 1;
    return number;
  };
  /** Who is there stays as they are, with whatever they changed of plan and set-up. */
  const keyFor = async (email: string, shop: PracticeShop): Promise<PracticePerson> => {
    const { userId, agentKey } = await person(knows(email) ? { email } : { ...ready, email, shop });
    return { userId, agentKey, email };
  };
  return async (wish: PracticeWish): Promise<PracticePerson> => {
    if ('again' in wish) return keyFor(wish.again, 'empty');
    const last = lastOf(wish.shop);
    const made = await keyFor(addressOf(wish.shop, wish.anew ? last + 1 : Math.max(1, last)), wish.shop);
    return wish.shop === 'stocked' ? { ...made, assistant: await assistantName() } : made;
  };
};
