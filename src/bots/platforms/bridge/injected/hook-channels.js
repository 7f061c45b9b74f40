/** Data channels, whoever opens them, and sockets. */
export function hookChannels({ safely, listen, tellData }, { channels, sockets }) {
  const { RTCPeerConnection, Reflect, Proxy, URL } = globalThis

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
  function hear(channel) {
    const { label } = channel
    if (!channels.includes(label)) return
    listen(channel, 'message', ({ data }) => tellData('channel', label, data))
  }

  const { createDataChannel } = RTCPeerConnection.prototype
  RTCPeerConnection.prototype.createDataChannel = function (...given) {
    const channel = Reflect.apply(createDataChannel, this, given)
    safely(() => hear(channel))
    return channel
  }
  replace('RTCPeerConnection', (connection) => {
    listen(connection, 'datachannel', ({ channel }) => hear(channel))
  })
  replace('WebSocket', (socket) => {
    const { hostname } = new URL(socket.url)
    if (!isHostOrSubdomain(hostname, sockets)) return
    listen(socket, 'message', ({ data }) => tellData('socket', hostname, data))
  })
}

export function isHostOrSubdomain(hostname, hosts) {
  return hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
}
