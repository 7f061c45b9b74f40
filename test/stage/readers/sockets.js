/** Records every text frame of every WebSocket of the page, and every message on `main-channel`. */
;(() => {
  window.frames3 = []
  window.mainMessages = []
  const Original = window.WebSocket
  window.WebSocket = class extends Original {
    constructor(...settings) {
      super(...settings)
      this.addEventListener('message', ({ data }) => window.frames3.push(data))
    }
  }
  const create = RTCPeerConnection.prototype.createDataChannel
  RTCPeerConnection.prototype.createDataChannel = function (label, options) {
    const channel = create.call(this, label, options)
    if (label !== 'main-channel') return channel
    channel.addEventListener('message', ({ data }) => {
      const text = new TextDecoder().decode(data)
      window.mainMessages.push(JSON.parse(text.slice(text.search(/[[{]/))))
    })
    return channel
  }
})()
