/**
 * `live`: the newest block is in the index, and is as young as this chain's blocks usually are. `syncing`: blocks are being
 * read. `stalled`: the chain makes no blocks. `disconnected`: the node does not answer. `wrong-chain`, `node-behind`: it is on
 * another chain, or ends before the index. `disputed`: it contradicts the index too deeply to be believed alone.
 * `unverified`: what it said does not fit itself or the contracts. `storage-failing`: the database fails. `failing`: an error of the server, which it tries to get over.
 */
export const statusStates = [
  'live',
  'syncing',
  'stalled',
  'disconnected',
  'wrong-chain',
  'node-behind',
  'disputed',
  'unverified',
  'storage-failing',
  'failing',
] as const

export type StatusState = (typeof statusStates)[number]
