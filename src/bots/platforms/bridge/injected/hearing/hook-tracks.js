import { createTrackListener } from './hear-tracks.js'

/**
 * Reports the sound of remote participants while hearing is on. Our script in the isolated world turns hearing on and
 * off with an event that has a random name.
 */
export function hookTracks(sender, { hearingEvent }) {
  const { document, CustomEvent, RTCTrackEvent, MediaStreamTrack } = globalThis
  const { Object, Reflect } = globalThis
  const getter = ({ prototype }, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name)
    return (target) => Reflect.apply(get, target, [])
  }
  const isOnIn = getter(CustomEvent, 'detail')
  const trackOf = getter(RTCTrackEvent, 'track')
  const receiverOf = getter(RTCTrackEvent, 'receiver')
  const kindOf = getter(MediaStreamTrack, 'kind')
  const listener = createTrackListener(sender, sender.sendSound)

  sender.observeNew('RTCPeerConnection', (connection) => {
    sender.addListener(connection, 'track', (event) => {
      const track = trackOf(event)
      if (kindOf(track) === 'audio') listener.addTrack(track, receiverOf(event))
    })
  })
  sender.addListener(document, hearingEvent, (event) => listener.setOn(isOnIn(event) === true))
}
