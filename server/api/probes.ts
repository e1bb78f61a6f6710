/** How other servers name their probes. Whoever set one up here by such a name would see a page, with 200, whatever the server does. */
const probeNames =
  /^\/(health(check|y|-check)?|ready|readiness|live(z|ness)?|status|server-status|ping|up|-\/(healthy|ready)|actuator(\/.*)?)\/?$/i

/** What is said to whoever asks for a probe under another name. */
export const probesHere = 'expected /healthz (liveness), /readyz (readiness) or /metrics'

/** Whether a path is the name of a probe elsewhere. */
export function isProbe(path: string): boolean {
  return probeNames.test(path)
}
