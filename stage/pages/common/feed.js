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

/**
 * Sends reports one at a time, so that they arrive in order. Only reports about the page's actions must arrive after
 * the page has closed. `keepalive` takes each request through the browser process, which the messages of a
 * platform's wire never pass. A bot may close the page as soon as it shows that the bot has left, so this report does not
 * wait for others.
 */
export function sendReport(report) {
  const body = JSON.stringify({ ...report, page: ownId })
  const keepalive = report.kind !== 'bytes'
  const send = () => fetch('/stage/report', { method: 'POST', body, keepalive })
  queue = report.action === 'left' ? send() : queue.then(send, send)
  return queue
}

export function reportAction(action, name = '') {
  return sendReport({ kind: 'action', action, name })
}

export function pageId() {
  return ownId
}
