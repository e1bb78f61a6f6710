const workerPath = '/service-worker.mjs'
const lookMs = 5 * 60_000

/**
 * Has the browser keep the last prices for when it does not reach the server. Where it cannot (private windows, no https), nothing is kept.
 * @param onNewVersion called once when the server has another build than this page
 */
export async function startWorker(onNewVersion: () => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const wasThere = navigator.serviceWorker.controller !== null
  const { serviceWorker } = navigator
  try {
    await serviceWorker.register(workerPath, { updateViaCache: 'none' })
    const registration = await serviceWorker.getRegistration()
    if (wasThere) registration?.addEventListener('updatefound', onNewVersion, { once: true })
    setInterval(() => void registration?.update().catch(() => undefined), lookMs)
  } catch {
    // as above
  }
}
