/** A server that has shown no sign of life for so long is stuck. One that is busy shows a late one. */
export const aliveSecondsMax = 30
/** An older readiness report no longer counts: a server that is this late should get no more requests. */
export const readySecondsMax = 10

export type ProbeAnswer = { readonly status: 200 | 503; readonly body: string }

/** What the server's own thread last said of its readiness: the body of `/readyz` as JSON. */
export type ReadyWord = { readonly ready: boolean; readonly body: string }

/** `/healthz`. Pure. @param beatAgeSeconds since the server's own thread last showed that it runs */
export function answerAlive(beatAgeSeconds: number): ProbeAnswer {
  const alive = beatAgeSeconds <= aliveSecondsMax
  return { status: alive ? 200 : 503, body: JSON.stringify({ alive, beatAgeSeconds: toTenths(beatAgeSeconds) }) }
}

/** `/readyz`. Pure. @param ageSeconds of `word` */
export function answerReady(word: ReadyWord | undefined, ageSeconds: number): ProbeAnswer {
  if (!word) return { status: 503, body: JSON.stringify({ ready: false, reason: 'The server is starting' }) }
  if (ageSeconds <= readySecondsMax) return { status: word.ready ? 200 : 503, body: word.body }
  const reason = `The server last reported its state ${Math.round(ageSeconds)} s ago, expected at most ${readySecondsMax} s`
  return { status: 503, body: JSON.stringify({ ready: false, reason }) }
}

function toTenths(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
