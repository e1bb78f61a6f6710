/** The compiler or Hardhat refused a source, or its answer lacks what is needed. The message is its own text where it gave one. */
export class ToolchainError extends Error {
  override readonly name = 'ToolchainError'
}
