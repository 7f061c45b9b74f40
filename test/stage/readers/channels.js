/** Records every binary message that arrives on a data channel of the page's client, and every response of a call. */
;(() => {
  const heard = []
  window.channelMessages = heard
  window.callAnswers = []
  const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  const listen = (channel) =>
    channel.addEventListener('message', ({ data }) => {
      heard.push({ label: channel.label, base64: base64(data) })
    })

  const Original = window.RTCPeerConnection
  window.RTCPeerConnection = class extends Original {
    constructor(...settings) {
      super(...settings)
      // Only the servers open this channel, so the side to which it is offered is the client.
      this.addEventListener('datachannel', ({ channel }) => {
        if (channel.label !== 'collections') return
        listen(channel)
        window.client = this
      })
    }
    createDataChannel(label, options) {
      const channel = super.createDataChannel(label, options)
      listen(channel)
      return channel
    }
  }

  const { fetch } = window
  window.fetch = async (url, settings) => {
    const answer = await fetch(url, settings)
    if (url.includes('/$rpc/')) window.callAnswers.push({ url, text: await answer.clone().text() })
    return answer
  }
})()
