import homoglyphs from 'unhomoglyph/data.json' with { type: 'json' }

/** A longer name is compared by its beginning: so many characters that are drawn. */
const charsMax = 64

/**
 * Letters, digits and signs that are drawn like a Latin letter, in its order, beyond those of Unicode's own table (UTS #39,
 * `confusables.txt`, which the package brings). A digit or a sign is there no letter, small letters are not drawn like capital ones,
 * and other scripts are sometimes only like each other.
 */
const lookalikes: Readonly<Record<string, string>> = {
  a: '@ᴀᗩⲀⲁ',
  b: '₿฿ЬьВвΒβßʙᏴᏼⲂⲃ',
  c: '¢ςϹϲᑕᑢ',
  d: 'ԀԁᎠᴅđÐð',
  e: '€℮ЄєΕεᴇꞒꞓᗴᕮƐ',
  f: 'ϝꜰҒғ',
  g: 'ԌԍɢᏀᘜ',
  h: 'НнҺһʜ',
  j: 'ᴊ',
  k: '₭КкΚκᴋĸ',
  l: 'ł',
  L: 'Łʟ',
  m: 'Ммᴍʍ',
  n: '₦ɴПпΠπηИᑎ',
  o: 'ØøΘθσ',
  p: '₱ᴘþÞ',
  q: 'Ԛԛᑫ',
  r: 'ГгΓʀ',
  s: '5$ſᔕ',
  t: '₮†ТтΤτᴛᎢƬꞱꓕⵜ',
  u: 'υ',
  v: 'ν',
  w: '₩ωѠѡⲰⲱ',
  x: '×χ',
  y: '¥γ',
  z: 'ᴢᘔⲌⲍ',
}
/** A Z, an E, a b and a B to the eye, and names differ by them: read as letters only in a name held against a verified one. */
const digitLetters: Readonly<Record<string, string>> = { 2: 'z', 3: 'e', 6: 'b', 8: 'b' }
/** In a shorter one a digit is a digit: B3 is not BE. */
const lettersMin = 3
/** The first of 26: white letters in black circles and in black squares. */
const whiteLetters = [0x1_f1_50, 0x1_f1_70]
/** The first of the 26 letters that flags are made of. */
const flagLetter = 0x1_f1_e6

const latinOf = toLatinMap()

/** Marks over letters, blanks, and what is drawn as nothing. */
const unseen = String.raw`\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800`
const seen = new RegExp(`[^${unseen}]{1,${charsMax}}`, 'gu')
const dropped = new RegExp(String.raw`[${unseen}\p{P}\p{S}]+`, 'gu')
/** What a mark writes from right to left. */
const turned = /\u202e([^\u202c]*)\u202c?/gu
const flagLetters = /[\u{1f1e6}-\u{1f1ff}]/gu

/**
 * What is left of a name for the eye: two names look alike if they have a skeleton in common. A small l looks like a capital I and is an L,
 * which those do not look like. So one skeleton has l as it is drawn, one as the letter that it is, and one has a capital I behind a small
 * letter, where nobody expects it, as an l. None when nothing but signs is in the name. Pure.
 */
export function toSkeletons(name: string): string[] {
  // A dollar sign in front of a symbol is a habit, elsewhere it stands for an S.
  const letters = takeSeen(name).replace(/^\$+/u, '')
  const latin = toLatin(toLatin(letters.normalize('NFD')).normalize('NFKD')).replaceAll(dropped, '')
  const drawn = toSmall(latin).replaceAll(/[Ii]/g, 'l')
  if (drawn === '') return []
  const meant = [latin, latin.replaceAll(/(?<=\p{Ll})I/gu, 'l')].map((one) =>
    toSmall(one).replaceAll('l', 'L').replaceAll(/[Ii]/g, 'l'),
  )
  return [...new Set([drawn, ...meant])]
}

/** Whether two names have a skeleton in common. Pure. */
export function looksAlike(one: string, other: string): boolean {
  const skeletons = toSkeletons(one)
  return toSkeletons(other).some((each) => skeletons.includes(each))
}

/** In small letters but I and L, which are told apart from l. */
function toSmall(latin: string): string {
  // Only small ones: RN is no M.
  const joined = latin.replaceAll('rn', 'm').replaceAll(/c[lI]/g, 'd')
  return toLatin(joined.replaceAll(/[^IL]+/g, (run) => run.toLowerCase())).replaceAll('vv', 'w')
}

/** Every skeleton that a name may be given: it may be written from right to left, in letters of flags, or with digits for letters. Pure. */
export function listSkeletons(name: string): string[] {
  const directions = name.includes('\u202e') ? [name, name.replaceAll(turned, (_, run: string) => turn(run))] : [name]
  const letters = directions.flatMap((one) => [
    ...[one, one.replaceAll(flagLetters, toLetter)],
    // Some write it for an L, which it does not look like.
    ...(one.length < lettersMin ? [] : [one.replaceAll('1', 'l')]),
  ])
  const plain = [...new Set(letters)].flatMap(toSkeletons)
  return [...new Set(plain.flatMap((one) => (one.length < lettersMin ? one : [one, readDigits(one)])))]
}

function readDigits(skeleton: string): string {
  return skeleton.replaceAll(/[2368]/g, (digit) => digitLetters[digit] ?? digit)
}

/** The first characters that are drawn: however many are not, none is looked at twice. */
function takeSeen(name: string): string {
  let taken = ''
  for (const [run] of name.matchAll(seen)) {
    taken += run
    if (taken.length >= charsMax) break
  }
  return Array.from(taken).slice(0, charsMax).join('')
}

function turn(text: string): string {
  return Array.from(text).toReversed().join('')
}

function toLetter(sign: string): string {
  return String.fromCodePoint((sign.codePointAt(0) ?? flagLetter) - flagLetter + 97)
}

function toLatin(text: string): string {
  return Array.from(text, (letter) => latinOf.get(letter) ?? letter).join('')
}

/** Signs to the Latin letters that they resemble. What Unicode's table says is read by ours once more. */
function toLatinMap(): ReadonlyMap<string, string> {
  const own = new Map(Object.entries(lookalikes).flatMap(([latin, signs]) => Array.from(signs, (sign) => [sign, latin] as const)))
  for (const first of whiteLetters)
    for (let i = 0; i < 26; i += 1) own.set(String.fromCodePoint(first + i), String.fromCodePoint(97 + i))
  // An m is drawn like an r and an n there; here those two are read as the one. All that is drawn like a small l is an I here, but an l.
  const { m: _, ...table }: Readonly<Record<string, string>> = homoglyphs
  const known = Object.entries(table).map(([sign, like]) => {
    const isSmallL = sign.normalize('NFKD') === 'l'
    const read = (one: string) => own.get(one) ?? (one === 'l' && !isSmallL ? 'I' : one)
    return [sign, Array.from(like, read).join('')] as const
  })
  return new Map([...known, ...own])
}
