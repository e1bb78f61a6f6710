import { createHub } from './hub.ts'
import { openStream } from './openStream.ts'

// A worker that all tabs share: it has the stream of prices. A tab holds a lock as long as it lives, and says its name first.

const hub = createHub(openStream)

addEventListener('connect', (event) => {
  const [port] = event instanceof MessageEvent ? event.ports : []
  if (!port) return
  const tab = hub.join((word) => port.postMessage(word))
  if (!tab) return port.close()
  port.addEventListener('message', ({ data }) => {
    if (typeof data === 'string')
      void navigator.locks.request(data, () => {
        tab.leave()
        port.close()
      })
    else tab.receive(data)
  })
  port.start()
})
