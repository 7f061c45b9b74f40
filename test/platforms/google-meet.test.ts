import { createGoogleMeet } from '../../src/platforms/google-meet/index.ts'
import { meetAddress } from '../stage/house.ts'
import { conforms } from './conformance.ts'

conforms({
  title: 'Google Meet',
  create: createGoogleMeet,
  address: meetAddress,
  blockedReason: 'blocked_by_platform',
  wireId: /\/spaces\/stage\/devices\//,
  channels: ['captions', 'captions_v2', 'collections'],
  textCss: '.ygicle',
  driftsIn: 'peopleButton',
  captionKeys: 'c',
  resetLanguage({ show }) {
    for (const guest of show.audience.guests) guest.language = 'en-us'
    return Promise.resolve()
  },
})
