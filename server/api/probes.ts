/** How other servers name their probes. Set up here by such a name, a probe would always get a page with 200, whatever the server's state. */
const probeNames =
  /^\/(health(check|y|-check)?|ready|readiness|live(z|ness)?|status|server-status|ping|up|-\/(healthy|ready)|actuator(\/.*)?)\/?$/i

/** The response to a request for a probe under another name. */
export const probesHere = 'expected /healthz (liveness), /readyz (readiness) or /metrics'

/** Whether a path is the name of a probe elsewhere. */
export function isProbe(path: string): boolean {
  return probeNames.test(path)
}
