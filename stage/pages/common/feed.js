/** The way to and from the show in Node. */

let guest = ''
let queue = Promise.resolve()

/** Calls the handler of each event's kind; resolves with the welcome. */
export function openFeed(handlers) {
  const address = encodeURIComponent(location.href)
  const feed = new EventSource(`/stage/feed?address=${address}`)
  // A second connection would be another guest: when the show closes, this page stays as it is.
  feed.addEventListener('error', () => feed.close())
  return new Promise((resolve) => {
    feed.addEventListener('message', ({ data }) => {
      const event = JSON.parse(data)
      if (event.kind === 'go') location.href = event.url
      else if (event.kind === 'welcome') {
        guest = event.guest
        resolve(event)
      } else handlers[event.kind]?.(event)
    })
  })
}

/** One after the other: what happened first is heard first. */
export function tell(telling) {
  const body = JSON.stringify({ ...telling, guest })
  const send = () => fetch('/stage/tell', { method: 'POST', body, keepalive: true })
  queue = queue.then(send, send)
  return queue
}

export function tellDeed(did, name = '') {
  return tell({ kind: 'deed', did, name })
}

export function guestId() {
  return guest
}
