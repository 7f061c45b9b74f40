const SIZE = { width: 320, height: 180 }
const PICTURES_PER_SECOND = 15
const GATHER_MS = 3_000

/**
 * Answers a WebRTC offer with one moving video for each video that the offer accepts. This end stands for the
 * platform's servers. It runs in the page that made the offer, or in another browser.
 */
export async function answerOffer(sdp) {
  const far = new RTCPeerConnection()
  await far.setRemoteDescription({ type: 'offer', sdp })
  const places = far.getTransceivers().filter(({ receiver }) => receiver.track.kind === 'video')
  for (const place of places) place.direction = 'sendonly'
  await far.setLocalDescription()
  // A platform's servers do no work for a video that the page declined.
  const accepted = places.filter(({ currentDirection }) => currentDirection === 'sendonly')
  const pictures = accepted.map(createMovingVideo)
  await Promise.all(accepted.map((place, i) => place.sender.replaceTrack(pictures[i].track)))
  await gathered(far)
  const close = () => {
    for (const { stop } of pictures) stop()
    far.close()
  }
  far.addEventListener('connectionstatechange', () => {
    if (['disconnected', 'failed'].includes(far.connectionState)) close()
  })
  return { sdp: far.localDescription.sdp, close }
}

/** A video whose whole area changes, as with a camera. */
function createMovingVideo(_, i) {
  const canvas = Object.assign(document.createElement('canvas'), SIZE)
  const pen = canvas.getContext('2d')
  let turn = i * 10
  const draw = () => {
    turn += 1
    for (let x = 0; x < SIZE.width; x += 20) {
      pen.fillStyle = `hsl(${(turn * 7 + x) % 360} 60% 50%)`
      pen.fillRect(x, 0, 20, SIZE.height)
    }
    pen.fillStyle = '#fff'
    pen.fillRect((turn * 5) % SIZE.width, (turn * 3) % SIZE.height, 60, 60)
  }
  draw()
  const timer = setInterval(draw, 1_000 / PICTURES_PER_SECOND)
  const [track] = canvas.captureStream(PICTURES_PER_SECOND).getVideoTracks()
  return { track, stop: () => clearInterval(timer) }
}

/** Waits until the description contains all addresses, so that no more candidates are needed. */
export function gathered(connection) {
  if (connection.iceGatheringState === 'complete') return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, GATHER_MS)
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState !== 'complete') return
      clearTimeout(timer)
      resolve()
    })
  })
}
