// Chromium receives contributing sources, but a page cannot send them. This script runs before all others, as if it
// were part of the browser, and lets the stage set a receiver's sources.
;(() => {
  const KEY = Symbol.for('stage.setContributingSources')
  const { prototype } = window.RTCRtpReceiver
  if (window.RTCRtpReceiver[KEY] !== undefined) return
  const native = prototype.getContributingSources
  const readers = new WeakMap()
  prototype.getContributingSources = function getContributingSources() {
    const read = readers.get(this)
    return read === undefined ? native.call(this) : read()
  }
  Object.defineProperty(window.RTCRtpReceiver, KEY, {
    value: (receiver, read) => void readers.set(receiver, read),
  })
})()
