import { InvalidArgumentError } from 'commander';

/** Parser of a whole number within a range, for commander. */
export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < minimum || value > maximum) {
      throw new InvalidArgumentError(`Expected a whole number from ${minimum} to ${maximum}.`);
    }
    return value;
  };
}

/** Parser of a comma-separated list of known names. */
export function namesOf<Name extends string>(known: readonly Name[]) {
  return (text: string): Name[] => {
    const names = text.split(',').map((name) => name.trim());
    const unknown = names.filter((name) => !(known as readonly string[]).includes(name));
    if (unknown.length > 0)
      throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}. Choose from ${known.join(', ')}.`);
    return names as Name[];
  };
}
