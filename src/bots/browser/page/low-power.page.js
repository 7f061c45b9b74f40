// Runs in the page before its own scripts. See quiet.ts.
;(() => {
  const KEY = Symbol.for('hansard.quiet')
  if (window[KEY] !== undefined) return
  const FRAME_MS = 500
  /** @type {{ isStill: boolean, takesVideo: boolean, hides: string[] }} */
  const settings = { isStill: false, takesVideo: true, hides: [] }

  // Frames: as many a second as a page needs to go on, none that anybody would see.
  const nextFrame = window.requestAnimationFrame.bind(window)
  const cancelFrame = window.cancelAnimationFrame.bind(window)
  const slow = new Map()
  let lastId = 0
  let lastAt = 0
  let timer = null

  function runSlow() {
    timer = null
    lastAt = performance.now()
    const due = [...slow.values()]
    slow.clear()
    for (const callback of due) {
      try {
        callback(lastAt)
      } catch (error) {
        window.reportError(error)
      }
    }
  }
  window.requestAnimationFrame = function requestAnimationFrame(callback) {
    if (!settings.isStill) return nextFrame(callback)
    // Numbers of their own: a page may cancel a frame that it asked for before.
    const id = --lastId
    slow.set(id, callback)
    timer ??= setTimeout(runSlow, Math.max(0, FRAME_MS - (performance.now() - lastAt)))
    return id
  }
  window.cancelAnimationFrame = function cancelAnimationFrame(id) {
    if (!slow.delete(id)) cancelFrame(id)
  }

  // Tiles and animations.
  const sheet = new CSSStyleSheet()
  function dress() {
    const hidden = settings.hides.map((selector) => `${selector} { visibility: hidden !important }`)
    const still =
      '*, *::before, *::after { animation: none !important; transition: none !important }'
    sheet.replaceSync(settings.isStill ? [...hidden, still].join('\n') : '')
    if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet)
  }

  // Incoming video: not wished for in the first place, so that nobody sends it.
  const wished = new Map()
  const LESS = { recvonly: 'inactive', sendrecv: 'sendonly' }

  function wishLess(connection) {
    if (settings.takesVideo) return
    for (const transceiver of connection.getTransceivers()) {
      const less = LESS[transceiver.direction]
      if (transceiver.receiver.track.kind !== 'video' || less === undefined) continue
      wished.set(transceiver, transceiver.direction)
      transceiver.direction = less
      connection.addEventListener('connectionstatechange', giveUpOnFailure)
    }
  }
  /** A platform that does not bear it gets its way from the next connection on. */
  function giveUpOnFailure({ target }) {
    if (target.connectionState === 'failed') takeVideo()
  }
  function takeVideo() {
    settings.takesVideo = true
    for (const [transceiver, direction] of wished) {
      if (transceiver.direction === LESS[direction]) transceiver.direction = direction
    }
    wished.clear()
  }
  const prototype = window.RTCPeerConnection?.prototype
  for (const name of ['createOffer', 'createAnswer', 'setLocalDescription']) {
    const native = prototype?.[name]
    if (native === undefined) continue
    prototype[name] = function (...given) {
      try {
        wishLess(this)
      } catch {
        // Whatever is different here, the page's own call counts more.
        settings.takesVideo = true
      }
      return native.apply(this, given)
    }
  }

  Object.defineProperty(window, KEY, {
    value(wishes) {
      const hadVideo = settings.takesVideo
      Object.assign(settings, wishes)
      dress()
      if (settings.takesVideo && !hadVideo) takeVideo()
      return { ...settings }
    },
  })
})()
