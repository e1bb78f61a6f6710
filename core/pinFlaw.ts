/** Why a PIN is easy to guess. `name`: the username has its digits. */
export type PinFlaw = 'name' | 'fewDigits' | 'year' | 'date' | 'pattern' | 'popular'

/**
 * What else people choose most: PINs that none of the rules below finds, among the 900 most frequent of leaked ones (DataGenetics,
 * "PIN analysis", 2012).
 */
const popular = new Set(
  `0012 0013 0023 0024 0069 0071 0078 0079 0083 0098 0147 0187 0190 0242 0258 0486 0852 0987 1042 1052 1066 1070 1080 1088 1092 1098
  1132 1134 1138 1145 1147 1182 1187 1192 1200 1232 1233 1235 1236 1237 1238 1239 1240 1241 1244 1245 1248 1250 1254 1255 1256 1258
  1269 1278 1288 1289 1290 1300 1314 1315 1316 1317 1318 1321 1322 1323 1325 1326 1329 1340 1345 1346 1350 1356 1358 1359 1369 1380
  1415 1420 1425 1435 1437 1452 1453 1456 1466 1469 1470 1471 1472 1477 1478 1492 1500 1516 1518 1520 1523 1524 1525 1530 1532 1541
  1542 1590 1595 1596 1598 1623 1688 1718 1730 1775 1776 1789 1800 1820 1821 1836 1892 2100 2123 2124 2131 2133 2213 2230 2234 2235
  2236 2258 2313 2321 2324 2356 2357 2369 2425 2456 2469 2500 2513 2514 2526 2527 2580 2588 2848 2918 3013 3117 3123 3141 3160 3211
  3213 3215 3216 3231 3256 3310 3321 3477 3515 3669 3690 3800 3825 3927 4001 4200 4201 4456 4556 4561 4562 4568 4860 4865 4989 5001
  5123 5129 5150 5425 5646 5683 6405 6497 6609 7410 7412 7734 7749 7789 7890 7894 7895 7899 7942 8520 9115 9510 9874 9981`.split(
    /\s+/,
  ),
)

/** Every other key: the corners of a keypad, the even and the odd digits. */
const keypadSets = ['1379', '2468', '1357', '3579']
const digits = '0123456789'
const [firstYear, lastYear] = ['1900', '2029']
const monthsMax = 12
const daysMax = 31

/**
 * Whether a PIN is one that is tried first. 1,743 of the 10,000 are, for any name, and those in the name.
 * @param pin four digits
 */
export function findPinFlaw(pin: string, username: string): PinFlaw | undefined {
  if (username.replaceAll(/\D/g, '').includes(pin)) return 'name'
  if (new Set(pin).size <= 2) return 'fewDigits'
  if (pin >= firstYear && pin <= lastYear) return 'year'
  const [first, last] = [Number(pin.slice(0, 2)), Number(pin.slice(2))]
  if (isDate(first, last) || isDate(last, first)) return 'date'
  const sorted = [...pin].sort().join('')
  if (digits.includes(sorted) || keypadSets.includes(sorted)) return 'pattern'
  return popular.has(pin) ? 'popular' : undefined
}

function isDate(month: number, day: number): boolean {
  return month >= 1 && month <= monthsMax && day >= 1 && day <= daysMax
}

const reasons: Readonly<Record<PinFlaw, string>> = {
  name: 'it is in your username',
  fewDigits: 'it has only one or two different digits',
  year: 'it is a year',
  date: 'it is a date',
  pattern: 'its digits are next to each other or form a pattern',
  popular: 'many people choose it',
}

/** `PIN is easy to guess: it is a year. Choose another one` */
export function describePinFlaw(flaw: PinFlaw): string {
  return `PIN is easy to guess: ${reasons[flaw]}. Choose another one`
}
