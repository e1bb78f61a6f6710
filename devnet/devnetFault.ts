/** The local chain cannot be started, or is not what was planned or asked for. The message is a sentence. */
export class DevnetFault extends Error {
  override readonly name = 'DevnetFault'
}
