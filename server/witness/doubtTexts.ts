// Why the index is not known to be right, in words.

/** Instead of the error, which only the log may have. */
export const faultyText = 'An error in the server stopped the check of the index: see its log'

/** Of a block about which nodes differ without proof. */
export function describeUndecided(block: number): string {
  return `The nodes' logs of block ${block} differ from the index, and no receipts prove which are right: check RPC_URL`
}

/** Of an index whose last blocks were read a second time. */
export function describeUnconfirmed(block: number): string {
  return `The index was read again from block ${block} on and is not yet confirmed by a contract`
}
