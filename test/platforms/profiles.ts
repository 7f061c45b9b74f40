import { createGoogleMeet } from '../../src/platforms/google-meet/index.ts'
import { createMicrosoftTeams } from '../../src/platforms/microsoft-teams/index.ts'
import { meetAddress, teamsAddress } from '../stage/house.ts'
import type { Profile } from './rehearsal.ts'

export const MEET: Profile = {
  title: 'Google Meet',
  name: 'google_meet',
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
}

export const TEAMS: Profile = {
  title: 'Microsoft Teams',
  name: 'microsoft_teams',
  create: createMicrosoftTeams,
  address: teamsAddress,
  // Its page for it asks to sign in.
  blockedReason: 'sign_in_required',
  wireId: /\/8:orgid:/,
  channels: ['main-channel'],
  textCss: '[data-tid="closed-caption-text"]',
  driftsIn: 'hangupButton',
  captionKeys: 'Alt+Shift+C',
  async resetLanguage({ pool, show }) {
    const page = pool.seats()[0]?.page
    const reset = "globalThis.callingDebug?.observableCall.setClosedCaptionsLanguage('en-us')"
    await page?.evaluate(reset)
    for (const guest of show.audience.guests) guest.language = 'en-us'
  },
}
