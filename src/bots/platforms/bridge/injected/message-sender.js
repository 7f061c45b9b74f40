/** No known message of a platform is this large. Of a larger message, only the name is reported. */
const MAX_BYTES = 4 * 1_024 * 1_024
const MAX_MESSAGES_PER_SECOND = 1_000
/** Counted separately from other messages, so that sound never displaces captions. */
const MAX_SOUNDS_PER_SECOND = 250
const CHUNK = 32_768

/** Functions that all hooks share. It saves the browser's functions before the page's scripts can replace them. */
export function createMessageSender(send) {
  const { btoa, Uint8Array, ArrayBuffer, Blob, Reflect, performance } = globalThis
  const { fromCharCode } = String
  const { addEventListener } = EventTarget.prototype
  const sendLimited = createLimitedSend(MAX_MESSAGES_PER_SECOND, 'messages')
  const sendLimitedSound = createLimitedSend(MAX_SOUNDS_PER_SECOND, 'pieces of sound')

  function createLimitedSend(limit, what) {
    let second = 0
    let count = 0
    return (message) => {
      const now = Math.floor(performance.now() / 1_000)
      if (now !== second) {
        second = now
        count = 0
      }
      count += 1
      if (count < limit) send(message)
      else if (count === limit)
        send(['error', `too many ${what} in one second, the rest is dropped`])
    }
  }
  /** Runs a function and reports its error, so that nothing is thrown into the page. */
  function runGuarded(act) {
    try {
      act()
    } catch (error) {
      sendLimited(['error', error instanceof Error ? error.message.slice(0, 200) : 'unknown'])
    }
  }
  function base64Of(bytes) {
    let text = ''
    for (let at = 0; at < bytes.length; at += CHUNK) {
      text += Reflect.apply(fromCharCode, null, bytes.subarray(at, at + CHUNK))
    }
    return btoa(text)
  }
  function sendData(kind, name, data) {
    if (typeof data === 'string' && data.length <= MAX_BYTES)
      sendLimited([kind, name, 'text', data])
    else if (data instanceof ArrayBuffer && data.byteLength <= MAX_BYTES) {
      sendLimited([kind, name, 'bytes', base64Of(new Uint8Array(data))])
    } else if (data instanceof Blob && data.size <= MAX_BYTES) {
      sendWhenReady(kind, name, data.arrayBuffer())
    } else sendLimited(['unreadable', kind, name])
  }
  function sendWhenReady(kind, name, promise) {
    promise.then(
      (data) => runGuarded(() => sendData(kind, name, data)),
      () => sendLimited(['unreadable', kind, name]),
    )
  }

  return {
    runGuarded,
    base64Of,
    sendData,
    sendSound: (...sound) => sendLimitedSound(['sound', ...sound]),
    sendWhenReady,
    addListener(target, type, handle) {
      Reflect.apply(addEventListener, target, [type, (event) => runGuarded(() => handle(event))])
    },
  }
}
