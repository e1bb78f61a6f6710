/** A longer name is compared by its beginning. */
const charsMax = 64

/** Letters of other scripts, digits and signs that are drawn like a Latin letter, in its order. Before case is dropped: Н is an H, н none. */
const lookalikes: Readonly<Record<string, string>> = {
  a: 'АаΑαɑᴀᎪꓮ@',
  b: 'ВЬьΒβʙᏴᏼꓐ₿฿',
  c: 'СсϹϲᴄᏟꓚ¢',
  d: 'ԀԁᎠᴅꓓđÐ',
  e: 'ЕеЄєΕεᴇᎬꓰ€℮ε',
  f: 'ϜƒꜰꓝϝҒғ',
  g: 'ԌԍɡɢᏀꓖ',
  h: 'НнҺһΗʜᎻꓧ',
  j: 'ЈјϳᴊᎫꓙ',
  k: 'КкΚκᴋᏦꓗ₭',
  // A capital i, a small L, a one and a stroke are the same in many a typeface.
  l: 'i1|IІіӀӏΙιıɩɪʟᏞꓡꓲłŁ',
  m: 'МмΜᴍᎷꓟ',
  n: 'ΝηɴꓠПп₦',
  o: '0ОоΟοσօᴏꓳØøΘθ',
  p: 'РрΡρᴘᏢꓑ₱',
  q: 'Ԛԛզ',
  r: 'ГгʀᎡꓣ',
  s: 'ЅѕꜱᏚꓢ5$',
  t: 'ТтΤτᴛᎢꓔ₮',
  u: 'υսᴜՍꓴ',
  v: 'ΝνѴѵᴠᏙꓦ',
  w: 'ԜԝωᴡᎳꓪ₩',
  x: 'ХхΧχꓫ×',
  y: 'УуΥγʏүҮꓬ¥',
  z: 'ΖᴢᏃꓜ2',
}

const latinOf = new Map(
  // The first letter counts where two claim a sign.
  Object.entries(lookalikes)
    .toReversed()
    .flatMap(([latin, signs]) => Array.from(signs, (sign) => [sign, latin] as const)),
)

const drawnLatin = new RegExp(`[${[...latinOf.keys()].join('')}]`, 'gu')
/** Marks over letters, what is drawn as nothing, blanks and punctuation. */
const dropped = /[\p{M}\p{C}\p{Z}\p{P}\p{S}\p{Default_Ignorable_Code_Point}\u2800]+/gu

/**
 * What is left of a name for the eye: two names with the same skeleton look alike. Empty when nothing but signs is in it. Pure.
 */
export function toSkeleton(name: string): string {
  // A dollar sign in front of a symbol is a habit, elsewhere it stands for an S.
  const letters = name
    .slice(0, charsMax)
    .normalize('NFKD')
    .replace(/^[\s$]+/u, '')
  const plain = toLatin(letters).replaceAll(dropped, '').toLowerCase()
  return toLatin(plain).replaceAll('rn', 'm').replaceAll('vv', 'w')
}

function toLatin(text: string): string {
  return text.replaceAll(drawnLatin, (letter) => latinOf.get(letter) as string)
}
