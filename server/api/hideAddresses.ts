/** Not a hash, of which 40 digits are a part; with the zeros before it where it is an argument of a call. */
const address = /(0x|(?<=[0-9a-f])0{24})[0-9a-f]{40}(?![0-9a-f])/gi

/**
 * A line of the log as it is written: what visitors cause holds no address, for it may be a wallet that somebody looks at.
 * Lines about the chain and the contracts of the network keep theirs.
 */
export function hideAddresses(line: string): string {
  return line.includes('"reqId":') || line.includes('"err":') ? line.replaceAll(address, '0x…') : line
}
