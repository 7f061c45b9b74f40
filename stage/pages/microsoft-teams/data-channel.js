import { reportAction } from '../common/feed.js'
import { connectLoopback, deliver } from '../common/loopback.js'

/** The invisible parts of the page: the data channel, and the objects of the calling library in `window`. */
export function createDataChannels({ knobs, callId }, captionPanel, language) {
  let link = null
  let people = []

  const call = {
    _callId: callId,
    get callerMri() {
      return people.find(({ isSelf }) => isSelf)?.mri
    },
    get participants() {
      return people.map(participant)
    },
    ...(knobs.hasCaptions && { startClosedCaption: () => captionPanel.turn(true) }),
    stopClosedCaption: () => captionPanel.turn(false),
    getClosedCaptionsLanguage: language.get,
    setClosedCaptionsLanguage: language.set,
  }

  return {
    async connect() {
      if (knobs.hasInternals) {
        window.callingDebug = { observableCall: call }
        window.msteamscalling = { deref: () => ({ callingService: { getActiveCall: () => call } }) }
      }
      link = await connectLoopback({ nearOpens: ['main-channel'] })
      const ask = [
        { type: 'sr', controlVideoStreaming: { controlInfo: { sourceId: -1, streamMsid: 1 } } },
      ]
      link.channel('main-channel').send(new TextEncoder().encode(JSON.stringify(ask)))
      await reportAction('entered')
    },
    people(next) {
      people = next
    },
    deliver,
    close() {
      link?.close()
      link = null
      delete window.callingDebug
      delete window.msteamscalling
    },
  }
}

function participant({ mri, name, isHost, sourceId }) {
  const mediaStreams = [{ type: 'audio', sourceId, direction: 'sendrecv' }]
  return {
    id: mri,
    mri,
    displayName: name,
    meetingRole: isHost ? 'organizer' : 'attendee',
    isServerMuted: false,
    hasAudioSource: (source) => source === sourceId,
    endpoints: { endpointDetails: [{ endpointId: `endpoint-${sourceId}`, mediaStreams }] },
  }
}
