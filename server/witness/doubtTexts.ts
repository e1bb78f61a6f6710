// Why the index is not known to be right, in words.

export const faultyText = 'An error in the server stopped the check of the index: see its log'

export function describeUndecided(block: number): string {
  return `The nodes' logs of block ${block} differ from the index, and no receipts prove which are right: check RPC_URL`
}

export function describeUnconfirmed(block: number): string {
  return `The index was read again from block ${block} on and is not yet confirmed by a contract`
}
