/** The connection between this page and the stage in Node. */

let ownId = ''
let queue = Promise.resolve()

/** Calls the handler for each event's kind. Resolves with the welcome event. */
export function openFeed(handlers) {
  const address = encodeURIComponent(location.href)
  const feed = new EventSource(`/stage/feed?address=${address}`)
  // A reconnection would be treated as another page. When the stage closes, this page stays as it is.
  feed.addEventListener('error', () => feed.close())
  return new Promise((resolve) => {
    feed.addEventListener('message', ({ data }) => {
      const event = JSON.parse(data)
      if (event.kind === 'go') location.href = event.url
      else if (event.kind === 'welcome') {
        ownId = event.page
        resolve(event)
      } else handlers[event.kind]?.(event)
    })
  })
}

/** Sends reports one at a time, so that they arrive in order. */
export function sendReport(report) {
  const send = () => postReport(report)
  queue = queue.then(send, send)
  return queue
}

/** `keepalive` takes a request through the browser process, which the messages of a platform's wire never pass. */
function postReport(report) {
  const body = JSON.stringify({ ...report, page: ownId })
  return fetch('/stage/report', { method: 'POST', body, keepalive: report.kind !== 'bytes' })
}

/**
 * Resolves when the stage knows that the user left. A bot closes the page as soon as it shows that, which also ends
 * requests on their way. This report waits for no other.
 */
export async function reportLeaving() {
  await Promise.allSettled([postReport({ kind: 'action', action: 'left', name: '' })])
}

export function reportAction(action, name = '') {
  return sendReport({ kind: 'action', action, name })
}

export function pageId() {
  return ownId
}
