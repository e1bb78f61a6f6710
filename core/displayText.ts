// Names and symbols come from lists and contracts that anybody may write.

/** Control characters, the marks that reorder or hide text around them, and letters that are drawn as nothing. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/gu

/** What is left when nothing is there that these could change: they are invisible by themselves. */
const onlyModifiers = /^[\p{Default_Ignorable_Code_Point}\s]*$/u

/** More than three accents on one letter are there to climb over the neighbouring rows. */
const stackedMarks = /(\p{M}{3})\p{M}+/gu

/**
 * One line of harmless text of at most `charsMax` characters: no control or direction marks, single spaces, an ellipsis where it was cut.
 * @returns `fallback` when nothing visible is left
 */
export function toDisplayText(text: string, fallback: string, charsMax = 64): string {
  // A 10 KB name is cut before the work, with room for what the cleaning removes.
  const clean = text
    .slice(0, charsMax * 8)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(invisible, '')
    .replaceAll(stackedMarks, '$1')
    .trim()
  if (onlyModifiers.test(clean)) return fallback
  const letters = Array.from(clean)
  return letters.length <= charsMax
    ? clean
    : `${letters
        .slice(0, charsMax - 1)
        .join('')
        .trimEnd()}…`
}
