/** Returns whether the last digit of a UPC, EAN, ISBN-13 or GTIN is its check digit. `digits` contains only digits. */
export const isCheckDigitValid = (digits: string): boolean =>
  [...digits].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
