// Runs in the page before the page's own scripts. low-power.ts installs it.
;(() => {
  const KEY = Symbol.for('hansard.lowPower')
  if (window[KEY] !== undefined) return
  const FRAME_MS = 500
  /** @type {{ pausesAnimation: boolean, receivesVideo: boolean, hiddenSelectors: string[] }} */
  const settings = { pausesAnimation: false, receivesVideo: true, hiddenSelectors: [] }

  // A few animation frames per second let the page work, and the bot does not need the picture.
  const nextFrame = window.requestAnimationFrame.bind(window)
  const cancelFrame = window.cancelAnimationFrame.bind(window)
  const delayedFrames = new Map()
  let lastId = 0
  let lastAt = 0
  let timer = null

  function runDelayedFrames() {
    timer = null
    lastAt = performance.now()
    const due = [...delayedFrames.values()]
    delayedFrames.clear()
    for (const callback of due) {
      try {
        callback(lastAt)
      } catch (error) {
        window.reportError(error)
      }
    }
  }
  window.requestAnimationFrame = function requestAnimationFrame(callback) {
    if (!settings.pausesAnimation) return nextFrame(callback)
    // Negative ids cannot collide with the browser's own, so a page can cancel any frame that it requested.
    const id = --lastId
    delayedFrames.set(id, callback)
    timer ??= setTimeout(runDelayedFrames, Math.max(0, FRAME_MS - (performance.now() - lastAt)))
    return id
  }
  window.cancelAnimationFrame = function cancelAnimationFrame(id) {
    if (!delayedFrames.delete(id)) cancelFrame(id)
  }

  // Hides video tiles and pauses animations.
  const sheet = new CSSStyleSheet()
  function updateStyles() {
    const hidden = settings.hiddenSelectors.map(
      (selector) => `${selector} { visibility: hidden !important }`,
    )
    const still =
      '*, *::before, *::after { animation: none !important; transition: none !important }'
    sheet.replaceSync(settings.pausesAnimation ? [...hidden, still].join('\n') : '')
    if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet)
  }

  // Declines incoming video in the negotiation, so that the platform does not send it.
  const originalDirections = new Map()
  const DIRECTION_WITHOUT_RECEIVE = { recvonly: 'inactive', sendrecv: 'sendonly' }

  function declineVideo(connection) {
    if (settings.receivesVideo) return
    for (const transceiver of connection.getTransceivers()) {
      const direction = DIRECTION_WITHOUT_RECEIVE[transceiver.direction]
      if (transceiver.receiver.track.kind !== 'video' || direction === undefined) continue
      originalDirections.set(transceiver, transceiver.direction)
      transceiver.direction = direction
      connection.addEventListener('connectionstatechange', giveUpOnFailure)
    }
  }
  /** Allows video from the next connection on, for a platform that fails without it. */
  function giveUpOnFailure({ target }) {
    if (target.connectionState === 'failed') restoreVideo()
  }
  function restoreVideo() {
    settings.receivesVideo = true
    for (const [transceiver, direction] of originalDirections) {
      if (transceiver.direction === DIRECTION_WITHOUT_RECEIVE[direction])
        transceiver.direction = direction
    }
    originalDirections.clear()
  }
  const prototype = window.RTCPeerConnection?.prototype
  for (const name of ['createOffer', 'createAnswer', 'setLocalDescription']) {
    const native = prototype?.[name]
    if (native === undefined) continue
    prototype[name] = function (...given) {
      try {
        declineVideo(this)
      } catch {
        // The page's own call must succeed, so low power gives way.
        settings.receivesVideo = true
      }
      return native.apply(this, given)
    }
  }

  Object.defineProperty(window, KEY, {
    value(changes) {
      const hadVideo = settings.receivesVideo
      Object.assign(settings, changes)
      updateStyles()
      if (settings.receivesVideo && !hadVideo) restoreVideo()
      return { ...settings }
    },
  })
})()
