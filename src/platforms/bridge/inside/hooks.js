/**
 * Listens to what the page's own scripts send and get: data channels, sockets, answers to calls. Installed
 * before them, with the browser's own functions; it never throws into the page and never changes what it gets.
 */
const MAX_BYTES = 4 * 1_024 * 1_024
const MAX_A_SECOND = 1_000
const CHUNK = 32_768

export function hook(send, wanted) {
  const { btoa, Uint8Array, ArrayBuffer, Blob, Reflect, Proxy, URL, WeakMap, performance } =
    globalThis
  const fromCharCode = String.fromCharCode
  const listen = EventTarget.prototype.addEventListener
  let second = 0
  let count = 0

  /** Whatever happens in here stays in here. */
  function safely(act) {
    try {
      return act()
    } catch (error) {
      tell(['trouble', `${error}`.slice(0, 200)])
      return undefined
    }
  }
  function tell(message) {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) {
      second = now
      count = 0
    }
    count += 1
    if (count < MAX_A_SECOND) send(message)
    else if (count === MAX_A_SECOND) send(['trouble', 'flood'])
  }
  function base64Of(bytes) {
    let text = ''
    for (let at = 0; at < bytes.length; at += CHUNK) {
      text += Reflect.apply(fromCharCode, null, bytes.subarray(at, at + CHUNK))
    }
    return btoa(text)
  }
  function tellData(kind, name, data) {
    if (typeof data === 'string') {
      tell(data.length > MAX_BYTES ? ['unread', kind, name] : [kind, name, 'text', data])
    } else if (data instanceof ArrayBuffer) {
      const isSmall = data.byteLength <= MAX_BYTES
      tell(isSmall ? [kind, name, 'bytes', base64Of(new Uint8Array(data))] : ['unread', kind, name])
    } else if (data instanceof Blob && data.size <= MAX_BYTES) {
      data.arrayBuffer().then(
        (buffer) => safely(() => tellData(kind, name, buffer)),
        () => tell(['unread', kind, name]),
      )
    } else tell(['unread', kind, name])
  }

  function hearChannel(channel) {
    const { label } = channel
    if (!wanted.channels.includes(label)) return
    Reflect.apply(listen, channel, [
      'message',
      ({ data }) => safely(() => tellData('channel', label, data)),
    ])
  }
  function hookChannels() {
    const { prototype } = RTCPeerConnection
    const { createDataChannel } = prototype
    prototype.createDataChannel = function (...given) {
      const channel = Reflect.apply(createDataChannel, this, given)
      safely(() => hearChannel(channel))
      return channel
    }
    replace('RTCPeerConnection', (connection) =>
      Reflect.apply(listen, connection, [
        'datachannel',
        ({ channel }) => safely(() => hearChannel(channel)),
      ]),
    )
  }
  function hookSockets() {
    replace('WebSocket', (socket) => {
      const { hostname } = new URL(socket.url)
      const isWanted = wanted.sockets.some(
        (host) => hostname === host || hostname.endsWith(`.${host}`),
      )
      if (!isWanted) return
      Reflect.apply(listen, socket, [
        'message',
        ({ data }) => safely(() => tellData('socket', hostname, data)),
      ])
    })
  }
  /** The same class, of which each new object is shown to us first. */
  function replace(name, see) {
    const original = globalThis[name]
    const proxy = new Proxy(original, {
      construct(target, given, as) {
        const made = Reflect.construct(target, given, as)
        safely(() => see(made))
        return made
      },
    })
    original.prototype.constructor = proxy
    globalThis[name] = proxy
  }

  function callIn(address) {
    const { pathname } = new URL(address, location.href)
    return wanted.calls.find((call) => pathname.endsWith(`/${call}`))
  }
  function hookFetch() {
    const original = globalThis.fetch
    globalThis.fetch = function (...given) {
      const answer = Reflect.apply(original, this, given)
      safely(() => {
        const call = callIn(given[0]?.url ?? String(given[0]))
        if (call === undefined) return
        answer.then(
          (response) =>
            safely(() => {
              response
                .clone()
                .text()
                .then(
                  (text) => safely(() => tellData('call', call, text)),
                  () => tell(['unread', 'call', call]),
                )
            }),
          () => tell(['unread', 'call', call]),
        )
      })
      return answer
    }
  }
  function hookRequests() {
    const { prototype } = XMLHttpRequest
    const { open, send: sendRequest } = prototype
    const calls = new WeakMap()
    prototype.open = function (...given) {
      safely(() => calls.set(this, callIn(String(given[1]))))
      return Reflect.apply(open, this, given)
    }
    prototype.send = function (...given) {
      safely(() => {
        const call = calls.get(this)
        if (call === undefined) return
        Reflect.apply(listen, this, [
          'load',
          () => safely(() => tellData('call', call, this.response)),
        ])
      })
      return Reflect.apply(sendRequest, this, given)
    }
  }

  const isPlatform = wanted.hosts.some(
    (host) => location.hostname === host || location.hostname.endsWith(`.${host}`),
  )
  if (!isPlatform) return
  for (const install of [hookChannels, hookSockets, hookFetch, hookRequests]) safely(install)
}
