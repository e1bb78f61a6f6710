/**
 * PORT to one node's JSON-RPC. `request` answers with the result as the node gave it, unchecked. `signal` ends the call.
 * Fails with what the transport throws; `toFailure` says what that means.
 */
export type RpcNode = {
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  /** Calls that wait for their turn; absent where none ever does. */
  waiting?(): number
  /** Whether its calls are few: it has refused some for their rate, or has not shown yet that it does not; absent where that is not looked at. */
  isLimited?(): boolean
}
