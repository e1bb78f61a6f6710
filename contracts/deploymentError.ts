/** A deployment that cannot be made or went wrong. The message is a sentence for the person who deploys. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError'
}
