/**
 * Characters of usernames that look alike, by what they look like: those of Unicode's list (UTS 39, confusables.txt) that a name may
 * have. Of its 6,000 entries these are all, and `vv`.
 */
const lookalikes: Readonly<Record<string, string>> = { '0': 'o', O: 'o', '1': 'l', I: 'l', m: 'rn', w: 'vv' }

/** How a name looks: names with the same skeleton are hard to tell apart. `aIice` and `alice` have one. */
export function toNameSkeleton(username: string): string {
  return [...username]
    .map((character) => lookalikes[character] ?? character)
    .join('')
    .toLowerCase()
}
