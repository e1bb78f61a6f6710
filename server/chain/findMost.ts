/**
 * What more than half of them say. Pure.
 * @param of how many have a say, silent ones included; absent: those that are given
 * @returns the first that says it; undefined where nothing is said by most
 */
export function findMost<T>(said: readonly T[], keyOf: (each: T) => unknown, of = said.length): T | undefined {
  return said.find((each) => said.filter((other) => keyOf(other) === keyOf(each)).length * 2 > of)
}
