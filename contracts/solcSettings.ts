// How TokenBoost.sol is compiled, for what is committed and for its tests alike.

/** The solc package's version; the pragma of the contract names it too. */
export const solcVersion = '0.8.37'

/** Paris, so that the bytecode runs on chains that lag behind; no hash of metadata, so that a folder's name changes nothing. */
export const solcSettings = {
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { bytecodeHash: 'none' as const },
}
