import { createTrackListener } from './hear-tracks.js'

/**
 * Reports the sound of remote participants while hearing is on. Our script in the isolated world switches hearing with an
 * event of a random name.
 */
export function hookTracks(sender, { hearingEvent }) {
  const { document, Object, CustomEvent, Reflect } = globalThis
  const detailOf = Object.getOwnPropertyDescriptor(CustomEvent.prototype, 'detail').get
  const tracks = createTrackListener(sender, sender.sendSound)
  sender.observeNew('RTCPeerConnection', (connection) => {
    sender.addListener(connection, 'track', ({ track, receiver }) => {
      if (track.kind === 'audio') tracks.addTrack(track, receiver)
    })
  })
  sender.addListener(document, hearingEvent, (event) =>
    tracks.setOn(Reflect.apply(detailOf, event, []) === true),
  )
}
