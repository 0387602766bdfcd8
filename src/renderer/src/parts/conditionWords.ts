/** A condition as words: USED_GOOD is "Used good". */
export const conditionWords = (condition: string): string =>
  condition.charAt(0) + condition.slice(1).toLowerCase().replaceAll('_', ' ');
