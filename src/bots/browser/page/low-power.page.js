// Runs in the page before its own scripts. See low-power.ts.
;(() => {
  const KEY = Symbol.for('hansard.lowPower')
  if (window[KEY] !== undefined) return
  const FRAME_MS = 500
  /** @type {{ pausesAnimation: boolean, receivesVideo: boolean, hiddenSelectors: string[] }} */
  const settings = { pausesAnimation: false, receivesVideo: true, hiddenSelectors: [] }

  // Frames: as many a second as a page needs to go on, none that anybody would see.
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
    // Numbers of their own: a page may cancel a frame that it asked for before.
    const id = --lastId
    delayedFrames.set(id, callback)
    timer ??= setTimeout(runDelayedFrames, Math.max(0, FRAME_MS - (performance.now() - lastAt)))
    return id
  }
  window.cancelAnimationFrame = function cancelAnimationFrame(id) {
    if (!delayedFrames.delete(id)) cancelFrame(id)
  }

  // Tiles and animations.
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

  // Incoming video: not wished for in the first place, so that nobody sends it.
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
  /** A platform that does not bear it gets its way from the next connection on. */
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
        // Whatever is different here, the page's own call counts more.
        settings.receivesVideo = true
      }
      return native.apply(this, given)
    }
  }

  Object.defineProperty(window, KEY, {
    value(wishes) {
      const hadVideo = settings.receivesVideo
      Object.assign(settings, wishes)
      updateStyles()
      if (settings.receivesVideo && !hadVideo) restoreVideo()
      return { ...settings }
    },
  })
})()
