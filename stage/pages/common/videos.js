import { answerOffer, gathered } from './fake-camera.js'
import { el } from './dom.js'

/**
 * Incoming video: as many moving pictures as the knob says, each in a tile with a light that never rests, as the
 * platforms have around who speaks.
 */
export function createVideos({ videos }) {
  let near = null
  let far = null

  async function connect(place) {
    near = new RTCPeerConnection()
    near.addEventListener('track', ({ track }) => place.append(tileOf(track)))
    for (let i = 0; i < videos; i += 1) near.addTransceiver('video', { direction: 'recvonly' })
    await near.setLocalDescription()
    await gathered(near)
    const { sdp } = near.localDescription
    const elsewhere = await fetch('/stage/cameras/look', { method: 'POST', body: sdp })
    const answer = await elsewhere.text()
    if (answer === '') far = await answerOffer(sdp)
    await near.setRemoteDescription({ type: 'answer', sdp: answer || far.sdp })
  }

  return {
    show: (place) => (videos > 0 && near === null ? connect(place) : Promise.resolve()),
    close() {
      near?.close()
      far?.close()
      near = null
      far = null
    },
  }
}

function tileOf(track) {
  const video = el('video', { autoplay: true, playsinline: true })
  video.muted = true
  video.srcObject = new MediaStream([track])
  return el('div.picture', { 'data-stage-picture': '' }, video, el('div.light'))
}
