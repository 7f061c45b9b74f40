import { isHostOrSubdomain } from './match-host.js'

/** Reports messages of data channels and web sockets. Either side of a connection may open a data channel. */
export function hookChannels(
  { runGuarded, addListener, observeNew, sendData },
  { channels, sockets },
) {
  const { RTCPeerConnection, Reflect, URL } = globalThis

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
  observeNew('RTCPeerConnection', (connection) => {
    addListener(connection, 'datachannel', ({ channel }) => listenToChannel(channel))
  })
  observeNew('WebSocket', (socket) => {
    const { hostname } = new URL(socket.url)
    if (!isHostOrSubdomain(hostname, sockets)) return
    addListener(socket, 'message', ({ data }) => sendData('socket', hostname, data))
  })
}
