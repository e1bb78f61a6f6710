/** Down the middle of a keypad. */
const keypadColumn = '2580'

/** Whether a PIN is one of those that people like best, and that are tried first: a pattern, a year, or digits of the name. */
export function isEasyPin(pin: string, username: string): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = Array.from(pin, Number)
  const step = b - a
  const isRow = Math.abs(step) <= 1 && c - b === step && d - c === step
  return isRow || pin.slice(0, 2) === pin.slice(2) || /^(19|20)/.test(pin) || pin === keypadColumn || username.includes(pin)
}
