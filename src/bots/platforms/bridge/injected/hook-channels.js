import { isHostOrSubdomain } from './match-host.js'

/** Reports messages of data channels and web sockets. Either side of a connection may open a data channel. */
export function hookChannels({ runGuarded, addListener, sendData }, { channels, sockets }) {
  const { RTCPeerConnection, Reflect, Proxy, URL } = globalThis

  /** Replaces a global class with a proxy that passes each new object to `onCreate`. */
  function wrapConstructor(name, onCreate) {
    const original = globalThis[name]
    const proxy = new Proxy(original, {
      construct(target, args, as) {
        const made = Reflect.construct(target, args, as)
        runGuarded(() => onCreate(made))
        return made
      },
    })
    original.prototype.constructor = proxy
    globalThis[name] = proxy
  }
  function listenToChannel(channel) {
    const { label } = channel
    if (!channels.includes(label)) return
    addListener(channel, 'message', ({ data }) => sendData('channel', label, data))
  }

  const { createDataChannel } = RTCPeerConnection.prototype
  RTCPeerConnection.prototype.createDataChannel = function (...args) {
    const channel = Reflect.apply(createDataChannel, this, args)
    runGuarded(() => listenToChannel(channel))
    return channel
  }
  wrapConstructor('RTCPeerConnection', (connection) => {
    addListener(connection, 'datachannel', ({ channel }) => listenToChannel(channel))
  })
  wrapConstructor('WebSocket', (socket) => {
    const { hostname } = new URL(socket.url)
    if (!isHostOrSubdomain(hostname, sockets)) return
    addListener(socket, 'message', ({ data }) => sendData('socket', hostname, data))
  })
}
