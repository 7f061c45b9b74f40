import { answerOffer, gathered } from './fake-camera.js'
import { el } from './dom.js'

/** The incoming videos of the knob `videos`. Each tile has an animated light, like the platforms' speaker light. */
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
    const relayed = await fetch('/stage/cameras/offer', { method: 'POST', body: sdp })
    const answer = await relayed.text()
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
